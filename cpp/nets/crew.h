// Threads that wait for work that is cut in many small pieces.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace purlieu {

class Crew {
 public:
  explicit Crew(int threads) {
    try {
      for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { wait(i); });
    } catch (...) {  // A thread that cannot be started: those that wait already would wait for ever.
      end();
      throw;
    }
  }
  ~Crew() { end(); }
  Crew(const Crew&) = delete;

  int threads() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls work(piece, thread) for all pieces below `pieces`, on all threads, this one among them.
  void run(int pieces, const std::function<void(int, int)>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      pieces_ = pieces;
      next_ = 0;
      failure_ = nullptr;
      at_work_ = static_cast<int>(threads_.size());
      ++round_;
    }
    begin_.notify_all();
    do_pieces(0);
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return at_work_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void end() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    begin_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  void wait(int thread) {
    for (int seen = 0;;) {
      {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, [&] { return over_ || round_ != seen; });
        if (over_) return;
        seen = round_;
      }
      do_pieces(thread);
      const std::lock_guard lock(mutex_);
      if (--at_work_ == 0) ended_.notify_one();
    }
  }
  void do_pieces(int thread) {
    try {
      for (int piece; (piece = next_.fetch_add(1, std::memory_order_relaxed)) < pieces_;) (*work_)(piece, thread);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      next_ = pieces_;
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begin_, ended_;
  const std::function<void(int, int)>* work_ = nullptr;
  std::atomic<int> next_ = 0;
  int pieces_ = 0, at_work_ = 0, round_ = 0;
  bool over_ = false;
  std::exception_ptr failure_;
};

}  // namespace purlieu
