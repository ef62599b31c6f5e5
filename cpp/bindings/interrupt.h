// Long work that Ctrl-C can stop, with the interpreter lock released.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace purlieu {

// Runs work(stop) on a thread of its own while this one waits for it or for a signal. On a signal `stop` is set, the
// work is waited for, and Python's exception (KeyboardInterrupt) is thrown.
template <class Work>
auto interruptible(Work&& work) {
  namespace nb = nanobind;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::condition_variable done_or_not;
  bool done = false;
  std::exception_ptr failure;
  decltype(work(stop)) result{};
  bool signalled = false;
  {
    nb::gil_scoped_release unlocked;
    std::thread worker([&] {
      try {
        result = work(stop);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      done_or_not.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!done_or_not.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
      lock.unlock();
      {
        nb::gil_scoped_acquire locked;
        signalled = PyErr_CheckSignals() != 0;
      }
      lock.lock();
      if (signalled) {
        stop = true;
        done_or_not.wait(lock, [&] { return done; });
        break;
      }
    }
    lock.unlock();
    worker.join();
  }
  if (signalled) throw nb::python_error();
  if (failure) std::rethrow_exception(failure);
  return result;
}

}  // namespace purlieu
