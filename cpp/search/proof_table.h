// What the exact solver remembers: for a position, bounds on its value that are proved. Threads share one table
// without locks.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include "base/types.h"

namespace purlieu {

// Bounds on a value, both proved, and the move to look at first.
struct Proved {
  int low;
  int high;
  Move best;
  int work;  // About the logarithm of the nodes that the proof cost.
};
inline constexpr int kBeyond = 1000;  // Above every value: ±kBeyond as a bound says nothing.

// A table of fixed size, 16 bytes an entry. A full bucket forgets what was cheapest to prove. Entries are true for as
// long as keys mean the same positions, so a table may serve many searches of one game.
class ProofTable {
 public:
  // Takes the largest power of two that fits, at least one bucket. The memory is only touched when it is used.
  explicit ProofTable(std::size_t bytes)
      : buckets_(std::bit_floor(bytes / sizeof(Bucket) | 1)),
        table_(static_cast<Bucket*>(take(buckets_ * sizeof(Bucket)))) {}
  ~ProofTable() { give(table_, buckets_ * sizeof(Bucket)); }
  ProofTable(const ProofTable&) = delete;
  ProofTable& operator=(const ProofTable&) = delete;

  std::size_t bytes() const { return buckets_ * sizeof(Bucket); }

  // Forgets everything. Precondition: nobody else uses the table.
  void clear() {
    Bucket* const fresh = static_cast<Bucket*>(take(bytes()));  // May throw, and then all stays as it was.
    give(table_, bytes());
    table_ = fresh;
  }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&table_[key & (buckets_ - 1)]); }

  bool find(std::uint64_t key, Proved& proved) const {
    for (const Entry& entry : table_[key & (buckets_ - 1)].entries) {
      const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
      if (data && (entry.mixed.load(std::memory_order_relaxed) ^ data) == key) {
        proved = unpack(data);
        return true;
      }
    }
    return false;
  }

  void store(std::uint64_t key, Proved proved) {
    Entry* worst = nullptr;
    int least = 1 << 30;
    for (Entry& entry : table_[key & (buckets_ - 1)].entries) {
      const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
      if (!data) {
        if (least >= 0) worst = &entry, least = -1;
        continue;
      }
      const Proved there = unpack(data);
      if ((entry.mixed.load(std::memory_order_relaxed) ^ data) == key) {
        // Both are proved, so both hold. The move is the one that proves the lower bound, if there is such a bound.
        if (there.low >= proved.low && there.low > -kBeyond) proved.low = there.low, proved.best = there.best;
        if (there.high < proved.high) proved.high = there.high;
        if (there.work > proved.work) proved.work = there.work;
        worst = &entry;
        break;
      }
      if (there.work < least) worst = &entry, least = there.work;
    }
    const std::uint64_t data = pack(proved);
    // The key is stored mixed with the data, so an entry that two threads wrote at once matches no key (Hyatt's trick).
    worst->mixed.store(key ^ data, std::memory_order_relaxed);
    worst->data.store(data, std::memory_order_relaxed);
  }

  // Calls visit(key, proved) for every entry. Precondition: nobody else uses the table.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < buckets_; ++i) {
      for (const Entry& entry : table_[i].entries) {
        const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
        if (data) visit(entry.mixed.load(std::memory_order_relaxed) ^ data, unpack(data));
      }
    }
  }

 private:
  struct Entry {
    std::atomic<std::uint64_t> mixed;
    std::atomic<std::uint64_t> data;
  };
  struct alignas(64) Bucket {
    Entry entries[4];
  };

  static std::uint64_t pack(Proved p) {
    return static_cast<std::uint64_t>(p.best.code()) | static_cast<std::uint64_t>(p.low + 0x4000) << 16 |
           static_cast<std::uint64_t>(p.high + 0x4000) << 32 | static_cast<std::uint64_t>(p.work) << 48;
  }
  static Proved unpack(std::uint64_t data) {
    return {static_cast<int>(data >> 16 & 0xFFFF) - 0x4000, static_cast<int>(data >> 32 & 0xFFFF) - 0x4000,
            Move(static_cast<std::uint16_t>(data & 0xFFFF)), static_cast<int>(data >> 48)};
  }

  static void* take(std::size_t bytes) {
#if __has_include(<sys/mman.h>)
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (bytes > std::size_t{1} << 26) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
#else
    void* memory = ::operator new(bytes, std::align_val_t(64));
    return std::memset(memory, 0, bytes);
#endif
  }
  static void give(void* memory, [[maybe_unused]] std::size_t bytes) {
#if __has_include(<sys/mman.h>)
    munmap(memory, bytes);
#else
    ::operator delete(memory, std::align_val_t(64));
#endif
  }

  std::size_t buckets_;
  Bucket* table_;
};

}  // namespace purlieu
