// What Pyloff's files share: the keys of marbles, and the lines of the two grids as bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "games/pyloff.h"

namespace purlieu::pyloff {

// A hash key for each marble: by its point's code and its colour.
inline constexpr auto kMarbleKeys = [] {
  std::array<std::array<std::uint64_t, 2>, points_in(LargeShape::kLargest)> keys{};
  std::uint64_t n = 0x9710FF;
  for (auto& point : keys)
    for (auto& key : point) key = mix(n++);
  return keys;
}();

// All columns of a full board but the last.
template <class Shape>
inline constexpr typename Shape::Set kNotLast = [] {
  typename Shape::Set result{};
  for (int line = 0; line < Shape::kStride * Shape::kStride; ++line)
    if (line % Shape::kStride != Shape::kStride - 1) result |= OneBit<typename Shape::Set>::of(line);
  return result;
}();

// The lines beside these on their own grid. Next to the last column lies the first, a row on. So either one column is
// always empty, as on grid 1, or the last is masked.
template <int Grid, class Shape, class Bits>
inline Bits beside(const Bits& lines) {
  const Bits vertical = lines << Shape::kStride | lines >> Shape::kStride;
  if constexpr (Grid == 1 || Shape::kStride > Shape::kLargest) return vertical | lines << 1 | lines >> 1;
  else return vertical | (lines & kNotLast<Shape>) << 1 | (lines >> 1 & kNotLast<Shape>);
}

// The lines of the other grid that touch at least one of these; where there is no line, anything.
template <int Grid, class Shape, class Bits>
inline Bits touching(const Bits& lines) {
  if constexpr (Grid == 0) {
    const Bits pairs = lines | lines >> 1;
    return pairs | pairs >> Shape::kStride;
  } else {
    const Bits pairs = lines | lines << 1;
    return pairs | pairs << Shape::kStride;
  }
}

// The lines of the other grid whose four touching lines are all among these.
template <int Grid, class Shape, class Bits>
inline Bits carried(const Bits& lines) {
  if constexpr (Grid == 0) {
    Bits pairs = lines & lines >> 1;
    if constexpr (Shape::kStride == Shape::kLargest) pairs &= kNotLast<Shape>;
    return pairs & pairs >> Shape::kStride;
  } else {
    const Bits pairs = lines & lines << 1;
    return pairs & pairs << Shape::kStride;
  }
}

// What put and take see of a set: all of it, or of a wide set what lies round one line. The farthest that they look are
// the points beside the points beside those that touch the line: three rows one way, and two the other.
template <class Shape, int Grid, class Set>
class View {
 public:
  using Window = typename Shape::Window;
  static constexpr bool kWhole = std::is_same_v<Window, typename Shape::Set>;

  View(Set& set, int line) : set_(set), line_(line) {}

  // The line itself.
  static Window at(int line) { return Window{1} << (kWhole ? line : kBefore); }

  operator Window() const {
    if constexpr (kWhole) return set_;
    else return load() >> shift();
  }
  void operator=(const Window& value) {
    if constexpr (kWhole) {
      set_ = value;
    } else {
      const Window before = load();
      const Window after = before ^ (value ^ before >> shift()) << shift();
      std::memcpy(bytes(), &after, sizeof after);
    }
  }
  void operator|=(const Window& value) { *this = *this | value; }
  void operator&=(const Window& value) { *this = *this & value; }

 private:
  static constexpr int kBefore = (Grid == 0 ? 3 : 2) * Shape::kStride + 1;
  static constexpr int kBehind = (Grid == 0 ? 2 : 3) * Shape::kStride + 1;
  static_assert(kWhole || (std::endian::native == std::endian::little && kBefore <= Shape::kFirst &&
                           kBefore + kBehind + 8 <= static_cast<int>(8 * sizeof(Window))));
  int shift() const { return (line_ - kBefore) % 8; }
  auto* bytes() const { return set_.bytes() + (line_ - kBefore) / 8; }
  Window load() const {
    Window value;
    std::memcpy(&value, bytes(), sizeof value);
    return value;
  }

  Set& set_;
  int line_;
};

// Takes from a view what is in `where`, and puts what is also in `what` back.
template <class View, class Window>
inline void assign(View to, const Window& where, const Window& what) {
  to = (to & ~where) | (where & what);
}

}  // namespace purlieu::pyloff
