// The memory of a search: nodes with their moves, and tables of what moves are worth in general. All of it lives in two
// pools of fixed size, linked by 32-bit indices; threads share it without locks.
//
// Numbers that threads change are relaxed atomics. A new block is filled first and then published by a release store
// into the link that leads to it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/types.h"
#include "search/bounds.h"

namespace purlieu {

using Index = std::uint32_t;
inline constexpr Index kNone = 0;  // No item of a pool has it.

// Eight moves of a node. The first block of a node stands for the node; the moves that open later go into more
// blocks, each linked from the one before.
struct alignas(64) Block {
  static constexpr int kMoves = 8;
  static constexpr int kNoPrior = 32768;

  // Of the node, in its first block.
  std::uint64_t key = 0;
  std::atomic<std::uint32_t> visits = 0;
  std::atomic<Bounds> bounds = Bounds();
  std::atomic<Index> table = kNone;
  std::uint16_t total = 0;                // The number of legal moves,
  std::atomic<std::uint16_t> opened = 0;  // and how many of them have a place in a block.
  std::atomic<bool> opening = false;      // Some thread is at it: the others go on with what is there.
  std::atomic<bool> rated = false;        // Its moves have priors.

  // Of the block.
  std::uint8_t count = 0;
  std::atomic<Index> next = kNone;

  // Of each move. Means are for the side that makes it; bounds, as everywhere, for the first colour. What is looked at
  // most stands in the first cache lines.
  Move move[kMoves] = {};
  std::atomic<std::uint16_t> prior[kMoves] = {};  // An evaluator's, in units of 1/65535; or kNoPrior and a rating.
  std::atomic<std::uint32_t> move_visits[kMoves] = {};
  std::atomic<double> value[kMoves] = {};  // The mean, from 0 to 1. After millions of visits a float would drift.
  std::atomic<Index> child[kMoves] = {};
  std::atomic<Bounds> move_bounds[kMoves] = {};
  std::atomic<float> margin[kMoves] = {};  // The mean; of many visits, of the last ones.

  // A simulation goes in: until it comes back it counts as a loss, so that other threads look elsewhere. Returns the
  // number of visits, this one included.
  std::uint32_t enter(int slot) {
    const std::uint32_t visits = move_visits[slot].fetch_add(1, std::memory_order_relaxed) + 1;
    add(value[slot], -value[slot].load(std::memory_order_relaxed) / visits);
    return visits;
  }
  // It comes back with a result for the side that made the move.
  void leave(int slot, float won, float by) {
    const std::uint32_t visits = move_visits[slot].load(std::memory_order_relaxed);
    add(value[slot], static_cast<double>(won) / visits);
    const float old = margin[slot].load(std::memory_order_relaxed);
    add(margin[slot], (by - old) / static_cast<float>(std::min(visits, kMarginVisits)));
  }

 private:
  // Beyond so many a float would lose what one visit adds to the mean.
  static constexpr std::uint32_t kMarginVisits = 1 << 16;

  // Not one atomic step: when two threads meet, one may be lost, which is cheaper than to wait.
  template <class Real>
  static void add(std::atomic<Real>& sum, Real term) {
    sum.store(sum.load(std::memory_order_relaxed) + term, std::memory_order_relaxed);
  }
};
static_assert(sizeof(Block) == 256);

// How often a move was played anywhere below a node by the side to move there, and how it fared: in half wins for that
// side. Two numbers in one word, so that one addition counts both; they are halved before they outgrow 31 bits.
class Tally {
 public:
  void add(float value) {
    // Not one atomic step: when two threads meet, a count may be lost, which is cheaper than a lock.
    const std::uint64_t step = (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(2 * value + 0.5f);
    std::uint64_t word = word_.load(std::memory_order_relaxed) + step;
    if (word >> 32 >= kMostPlays) [[unlikely]]
      word = word >> 1 & 0x7FFF'FFFF'7FFF'FFFF;
    word_.store(word, std::memory_order_relaxed);
  }
  struct Counts {
    float plays, wins;
  };
  Counts counts() const {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    return {static_cast<float>(static_cast<std::int32_t>(word >> 32)),
            0.5f * static_cast<float>(static_cast<std::int32_t>(word))};
  }
  // Begins as a copy, scaled down to at most that many plays.
  void inherit(const Tally& from, int most) {
    std::uint64_t word = from.word_.load(std::memory_order_relaxed);
    const std::uint64_t plays = word >> 32;
    if (plays > static_cast<std::uint64_t>(most)) {
      const std::uint64_t halves = (word & 0xFFFFFFFFu) * static_cast<std::uint64_t>(most) / plays;
      word = static_cast<std::uint64_t>(most) << 32 | halves;
    }
    word_.store(word, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kMostPlays = 1 << 29;

  std::atomic<std::uint64_t> word_ = 0;
};

// Room for a fixed number of equal items of `width` elements. Pages that were never used cost nothing.
template <class Element>
class Pool {
 public:
  Pool(std::size_t items, std::size_t width) : capacity_(items), width_(width), memory_(allocate(items * width)) {}

  // kNone if the pool is full. The item's elements are made anew.
  Index take() {
    if (used_.load(std::memory_order_relaxed) >= capacity_) return kNone;
    const std::size_t at = used_.fetch_add(1, std::memory_order_relaxed);
    if (at >= capacity_) return kNone;
    const Index index = static_cast<Index>(at);
    for (std::size_t i = 0; i < width_; ++i) new (item(index) + i) Element();
    return index;
  }
  Element* item(Index index) const { return memory_.get() + index * width_; }
  std::size_t used() const { return std::min(used_.load(std::memory_order_relaxed), capacity_); }
  bool full() const { return used() == capacity_; }
  void clear() { used_.store(1, std::memory_order_relaxed); }

  // Moves the items for which moved_to is not kNone to the front, in order, and drops the rest. moved_to[i] must be
  // the rank of i among those kept.
  void keep(const std::vector<Index>& moved_to) {
    std::size_t kept = 1;
    for (std::size_t i = 1; i < moved_to.size(); ++i) {
      if (moved_to[i] == kNone) continue;
      std::memmove(static_cast<void*>(item(moved_to[i])), static_cast<const void*>(item(static_cast<Index>(i))),
                   width_ * sizeof(Element));
      ++kept;
    }
    used_.store(kept, std::memory_order_relaxed);
  }

 private:
  struct Free {
    void operator()(Element* memory) const { ::operator delete(memory, std::align_val_t(64)); }
  };
  static Element* allocate(std::size_t elements) {
    return static_cast<Element*>(::operator new(elements * sizeof(Element), std::align_val_t(64)));
  }
  std::size_t capacity_;
  std::size_t width_;
  std::unique_ptr<Element, Free> memory_;
  std::atomic<std::size_t> used_ = 1;  // Item 0 stands for none.
};

// Finds nodes by the key of their position. Forgets rather than grows.
class Transpositions {
 public:
  explicit Transpositions(std::size_t slots) : mask_(std::bit_floor(slots) - 1), slots_(allocate(mask_ + 1)) {}

  template <class KeyOf>
  Index find(std::uint64_t key, KeyOf&& key_of) const {
    for (std::size_t i = 0; i < kProbes; ++i) {
      const Index index = slots_.get()[(key + i) & mask_].load(std::memory_order_acquire);
      if (index == kNone || key_of(index) == key) return index;
    }
    return kNone;
  }
  void add(std::uint64_t key, Index index) {
    for (std::size_t i = 0; i < kProbes; ++i) {
      Index free = kNone;
      if (slots_.get()[(key + i) & mask_].compare_exchange_strong(free, index, std::memory_order_release,
                                                                 std::memory_order_relaxed))
        return;
    }
  }
  void clear() {
    for (std::size_t i = 0; i <= mask_; ++i)
      if (slots_.get()[i].load(std::memory_order_relaxed)) slots_.get()[i].store(kNone, std::memory_order_relaxed);
  }

 private:
  using Slot = std::atomic<Index>;
  static constexpr std::size_t kProbes = 16;
  struct Free {
    void operator()(Slot* memory) const { std::free(memory); }
  };
  static Slot* allocate(std::size_t slots) {
    static_assert(sizeof(Slot) == 4);
    void* memory = std::calloc(slots, sizeof(Slot));  // Zero pages cost nothing until used.
    if (!memory) throw std::bad_alloc();
    return static_cast<Slot*>(memory);
  }
  std::size_t mask_;
  std::unique_ptr<Slot, Free> slots_;
};

class Tree {
 public:
  // Keeps within that many bytes. Tables have one tally for each code below `codes`, and one that nobody reads.
  Tree(std::size_t bytes, int codes)
      : codes_(codes),
        blocks_(std::min(bytes / 4 * 3 / kBlockBytes, std::size_t{0xFFFFFFF0u}), 1),
        tables_(std::max(bytes / 4 / table_bytes(), std::size_t{2}), table_bytes() / sizeof(Tally)),
        transpositions_(std::max(bytes / 4 * 3 / kBlockBytes, std::size_t{2})) {}

  Block& operator[](Index index) const { return *blocks_.item(index); }
  // Begins to fetch what select() will look at.
  void prefetch(Index index) const {
    if (index == kNone) return;
    __builtin_prefetch(blocks_.item(index));
    __builtin_prefetch(reinterpret_cast<const char*>(blocks_.item(index)) + 64);
    __builtin_prefetch(reinterpret_cast<const char*>(blocks_.item(index)) + 128);
  }
  Index new_block() { return blocks_.take(); }
  // The first block of a node.
  Index new_node(std::uint64_t key, int total) {
    const Index index = blocks_.take();
    if (index == kNone) return kNone;
    (*this)[index].key = key;
    (*this)[index].total = static_cast<std::uint16_t>(total);
    nodes_.fetch_add(1, std::memory_order_relaxed);
    return index;
  }
  std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  bool full() const { return blocks_.full(); }
  std::size_t bytes_used() const { return blocks_.used() * sizeof(Block) + tables_.used() * table_bytes(); }

  Tally* table(Index index) const { return tables_.item(index); }
  // kNone if there is no room. It begins with what `from` knows, if that is a table.
  Index new_table(Index from, int inherit) {
    const Index index = tables_.take();
    if (index != kNone && from != kNone)
      for (int i = 0; i < codes_; ++i) table(index)[i].inherit(table(from)[i], inherit);
    return index;
  }
  // Where a move counts. Passes count nowhere.
  int slot(Move move) const { return std::min<int>(move.code(), codes_); }

  Index find(std::uint64_t key) const {
    return transpositions_.find(key, [this](Index index) { return (*this)[index].key; });
  }
  void remember(Index node) { transpositions_.add((*this)[node].key, node); }

  void clear() {
    if (nodes() > 0) transpositions_.clear();  // A new tree's pages are clean, and need not be touched.
    blocks_.clear();
    tables_.clear();
    nodes_.store(0, std::memory_order_relaxed);
  }

  // Forgets everything that cannot be reached from that node, closes the gaps, and returns where the node is now.
  // No other thread may be in the tree.
  Index keep(Index root) {
    std::vector<Index> block_to(blocks_.used(), kNone), table_to(tables_.used(), kNone), stack = {root};
    block_to[root] = 1;
    const auto reach = [&](Index index) {
      if (index == kNone || block_to[index] != kNone) return;
      block_to[index] = 1;
      stack.push_back(index);
    };
    while (!stack.empty()) {
      const Block& block = (*this)[stack.back()];
      stack.pop_back();
      if (const Index table = block.table.load(std::memory_order_relaxed)) table_to[table] = 1;
      reach(block.next.load(std::memory_order_relaxed));
      for (const auto& child : block.child) reach(child.load(std::memory_order_relaxed));
    }
    const auto rank = [](std::vector<Index>& marks) {
      Index next = 1;
      for (Index& mark : marks)
        if (mark != kNone) mark = next++;
    };
    rank(block_to);
    rank(table_to);
    transpositions_.clear();
    nodes_.store(0, std::memory_order_relaxed);
    const auto relink = [](std::atomic<Index>& link, const std::vector<Index>& to) {
      link.store(to[link.load(std::memory_order_relaxed)], std::memory_order_relaxed);
    };
    for (std::size_t i = 1; i < block_to.size(); ++i) {
      if (block_to[i] == kNone) continue;
      Block& block = (*this)[static_cast<Index>(i)];
      relink(block.table, table_to);
      relink(block.next, block_to);
      for (auto& child : block.child) relink(child, block_to);
      if (block.total) {
        nodes_.fetch_add(1, std::memory_order_relaxed);
        transpositions_.add(block.key, block_to[i]);
      }
    }
    blocks_.keep(block_to);
    tables_.keep(table_to);
    return block_to[root];
  }

 private:
  std::size_t table_bytes() const { return (static_cast<std::size_t>(codes_) + 1 + 7) / 8 * 8 * sizeof(Tally); }

  static constexpr std::size_t kBlockBytes = sizeof(Block) + 3 * sizeof(Index);  // With its share of keep().

  int codes_;
  Pool<Block> blocks_;
  Pool<Tally> tables_;
  Transpositions transpositions_;
  std::atomic<std::int64_t> nodes_ = 0;
};

}  // namespace purlieu
