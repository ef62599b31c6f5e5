"""The net, what it is punished for, and that it learns."""

from __future__ import annotations

import copy
import dataclasses

import pytest
import torch

from purlieu.rules import PurlieuError
from purlieu.train.data.settings import make_settings
from purlieu.train.learning.losses import PARTS, Targets, losses
from purlieu.train.learning.trainer import Trainer
from purlieu.train.network.evaluation import evaluator
from purlieu.train.network.net import Net, Outputs, playing

from .shapes import SMALL, made_up_planes, made_up_rows


def lively(blocks: int = 2, channels: int = 16) -> Net:
    """A net whose every part has a say, as it plays."""
    torch.manual_seed(1)
    net = Net(SMALL, blocks, channels).requires_grad_(False)
    for name, part in net.state_dict().items():
        if name.endswith(("variance", "gain")):
            part.uniform_(0.5, 2)
        elif part.ndim and name != "scales":
            part.normal_(std=0.2)
    return net.eval()


@pytest.mark.parametrize("size", [3, 4, 8, 10, 19])
def test_one_net_answers_on_every_size(size: int) -> None:
    outputs = lively()(made_up_planes(2, size))
    assert outputs.policy.shape == (2, SMALL.policy, size, size)
    assert outputs.value.shape == (2, 3)
    assert outputs.score.shape == (2, 2)
    assert outputs.own.shape == (2, 3 * SMALL.maps, size, size)


def test_a_position_is_answered_alike_in_any_batch() -> None:
    net, planes = lively(), made_up_planes(5, 6)
    together = net(planes)
    for at in range(5):
        for mine, all_ in zip(net(planes[at : at + 1]), together, strict=True):
            torch.testing.assert_close(mine[0], all_[at], rtol=1e-4, atol=1e-4)


def test_far_away_cells_reach_the_policy_and_the_value() -> None:
    net, planes = lively(blocks=1), made_up_planes(1, 19)
    changed = planes.clone()
    changed[0, :, 18, 18] += 1
    before, after = net(planes), net(changed)
    assert (before.policy[0, :, 0, 0] != after.policy[0, :, 0, 0]).all()
    assert (before.value != after.value).all()


def test_new_nets_have_no_preference() -> None:
    values, policies = [], []
    for seed in range(20):
        torch.manual_seed(seed)
        outputs = Net(SMALL, 6, 64).eval()(made_up_planes(4, 8))
        values.append(torch.softmax(outputs.value, 1))
        policies.append(torch.softmax(outputs.policy.flatten(1), 1))
    assert torch.stack(values).mean((0, 1)).sub(1 / 3).abs().max() < 0.05
    assert torch.stack(policies).mean((0, 1)).max() < 3 / policies[0].shape[1]


def test_norms_and_scales_folded_into_convolutions_change_nothing() -> None:
    net, planes = lively(), made_up_planes(3, 5)
    plain = playing(net)
    assert not any("norm" in name for name in plain.state_dict())
    assert bool((plain.scales == 1).all())
    for mine, theirs in zip(plain(planes), net(planes), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-4)


def test_a_net_that_learns_from_many_sizes_learns_the_function_that_plays() -> None:
    trainer = Trainer(make_settings("petrify", tiny=True), SMALL, "cpu")
    batches = [made_up_rows(64, size) for size in (4, 6, 8)]
    for _ in range(10):
        for rows in batches:
            trainer.train(rows)
    still = copy.deepcopy(trainer.net).eval()
    for rows in batches:
        learning = copy.deepcopy(trainer.net)(rows.planes.float())
        for mine, theirs in zip(learning, still(rows.planes.float()), strict=True):
            torch.testing.assert_close(mine, theirs, rtol=0.1, atol=0.1)


def test_what_plays_says_what_the_net_says_also_after_new_weights() -> None:
    net, planes = lively(), made_up_planes(4, 5)
    player = evaluator(Net(SMALL, 2, 16), "cpu")
    lane = player.lane(5, 4)
    player.load(net.state_dict())
    lane.planes[:] = planes.numpy()
    lane.run()
    outputs = net(planes)
    torch.testing.assert_close(torch.from_numpy(lane.policy), outputs.policy.flatten(1), rtol=1e-4, atol=1e-4)
    win, _, draw = torch.softmax(outputs.value, 1).unbind(1)
    torch.testing.assert_close(torch.from_numpy(lane.value[:, 0]), win + draw / 2)
    torch.testing.assert_close(torch.from_numpy(lane.value[:, 1]), outputs.score[:, 0] * 25, rtol=1e-4, atol=1e-4)


def outputs_and_targets() -> tuple[Outputs, Targets]:
    rows = made_up_rows(6, 4)
    return Outputs(*(part.detach() for part in lively()(rows.planes.float()))), rows.targets


def part(outputs: Outputs, targets: Targets, name: str) -> float:
    return float(losses(outputs, targets)[1][PARTS.index(name)])


def test_a_net_whose_answers_are_no_numbers_plays_no_games() -> None:
    net = lively()
    evaluator(net, "cpu").lane(4, 2).run()
    net.value_out.weight.fill_(float("nan"))
    with pytest.raises(PurlieuError, match="no numbers any more"):
        evaluator(net, "cpu").lane(4, 2).run()


def test_illegal_moves_cost_nothing_whatever_the_net_says_of_them() -> None:
    outputs, targets = outputs_and_targets()
    louder = outputs.policy.flatten(1).clone()
    louder[targets.policy < 0] += 50
    changed = outputs._replace(policy=louder.view_as(outputs.policy))
    assert part(changed, targets, "policy") == pytest.approx(part(outputs, targets, "policy"))
    louder[:, 0] += 3  # legal
    assert part(outputs._replace(policy=louder.view_as(outputs.policy)), targets, "policy") != part(
        outputs, targets, "policy"
    )


def test_rows_of_a_fast_search_do_not_teach_the_policy() -> None:
    outputs, targets = outputs_and_targets()
    weight = targets.weight.clone()
    weight[3:] = 0
    half = part(outputs, targets._replace(weight=weight), "policy")
    only = part(Outputs(*(each[:3] for each in outputs)), Targets(*(each[:3] for each in targets)), "policy")
    assert half == pytest.approx(only)
    assert part(outputs, targets._replace(weight=torch.zeros(6)), "policy") == 0


def test_the_best_possible_policy_has_no_gap() -> None:
    outputs, targets = outputs_and_targets()
    perfect = outputs._replace(policy=targets.policy.clamp(min=1e-30).log().view_as(outputs.policy))
    assert part(perfect, targets, "policy_gap") == pytest.approx(0, abs=1e-5)
    assert part(perfect, targets, "policy_right") == 1


def test_cells_that_are_none_cost_nothing() -> None:
    outputs, targets = outputs_and_targets()
    owners = targets.owners.clone()
    owners[:, :, 3] = 255
    louder = outputs.own.clone()
    louder[:, :, 3] += 9 * torch.randn_like(louder[:, :, 3])
    padded = targets._replace(owners=owners)
    assert part(outputs._replace(own=louder), padded, "own") == pytest.approx(part(outputs, padded, "own"))


def test_the_averaged_net_follows_the_trained_one() -> None:
    settings = dataclasses.replace(make_settings("petrify", tiny=True), ema=0.5)
    trainer = Trainer(settings, SMALL, "cpu")
    rows = made_up_rows(32, 4)
    for _ in range(30):
        trainer.train(rows, fall=0.0)
    for _ in range(30):
        trainer.train(rows, fall=1.0)
    for mine, theirs in zip(trainer.ema.parameters(), trainer.net.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-2, atol=1e-3)
