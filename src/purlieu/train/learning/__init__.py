"""Steps of training on rows drawn from the replay buffer."""
