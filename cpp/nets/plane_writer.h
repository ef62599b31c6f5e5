// Writes the planes of a position one after another.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace purlieu {

class PlaneWriter {
 public:
  PlaneWriter(std::uint8_t* out, int side) : next_(out), side_(side) {}

  // The next plane, for the caller to write.
  std::uint8_t* take() {
    std::uint8_t* plane = next_;
    next_ += side_ * side_;
    return plane;
  }
  // A plane of one number.
  void fill(int value) { std::memset(take(), value, static_cast<std::size_t>(side_ * side_)); }
  // A plane of zeros, to be changed by the caller.
  std::uint8_t* zeros() {
    std::uint8_t* plane = next_;
    fill(0);
    return plane;
  }
  // A plane of zeros and ones: row(r) has column c as its bit c. Up to seven bytes behind the plane are changed, so
  // another plane must follow.
  template <class Row>
  void bits(Row&& row) {
    sums(1, [&](int r, int) { return row(r); });
  }
  // A plane of sums of so many planes of zeros and ones: row(r, i) is a row of the i-th. Changes as many bytes behind.
  template <class Row>
  void sums(int terms, Row&& row) {
    std::uint8_t* at = take();
    for (int r = 0; r < side_; ++r, at += side_) {
      std::uint64_t bytes[3] = {0, 0, 0};
      for (int i = 0; i < terms; ++i) {
        std::uint32_t of_row = row(r, i);
        for (int c = 0; c < side_; c += 7, of_row >>= 7) bytes[c / 7] += spread(of_row & 0x7F);
      }
      for (int c = 0; c < side_; c += 7) std::memcpy(at + c, &bytes[c / 7], 8);
    }
  }

 private:
  static_assert(std::endian::native == std::endian::little);

  // Bits 0 to 6 into the lowest bits of the first seven bytes: the product has bit i at i + 7j for all j, so at 8i.
  static std::uint64_t spread(std::uint64_t seven) {
    return seven * 0x0000'0408'1020'4081 & 0x0001'0101'0101'0101;
  }

  std::uint8_t* next_;
  int side_;
};

}  // namespace purlieu
