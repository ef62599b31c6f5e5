// A game of self-play as bytes, for files and for the replay: docs/selfplay.md describes the format.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"

namespace purlieu {

enum class PlyKind : std::uint8_t { given, fast, full };  // Random or forced; a small search; one whose policy counts.

struct PlyRecord {
  std::uint16_t move;
  PlyKind kind;
  float value = 0;                                        // The mover's win chance after the search.
  std::vector<std::pair<std::uint16_t, float>> policy{};  // Codes and probabilities of the likeliest moves.
};

struct GameRecord {
  std::uint8_t game = 0;  // Its place in kGameNames.
  std::uint8_t size = 0;
  std::int8_t result = 0;   // For the first colour: 1, 0 or -1.
  std::int16_t margin = 0;  // The first colour's.
  std::vector<PlyRecord> plies;
};

inline constexpr std::string_view kGameNames[] = {"petrify", "pilo", "pentwall", "pyloff"};
inline constexpr std::uint8_t kRecordFormat = 1;

inline std::uint8_t game_number(std::string_view name) {
  std::uint8_t number = 0;
  while (kGameNames[number] != name) ++number;
  return number;
}

class RecordWriter {
 public:
  static void append(const GameRecord& record, std::string& out) {
    const std::size_t start = out.size();
    put<std::uint32_t>(out, 0);
    put(out, kRecordFormat);
    put(out, record.game);
    put(out, record.size);
    put(out, record.result);
    put(out, record.margin);
    put(out, static_cast<std::uint16_t>(record.plies.size()));
    for (const PlyRecord& ply : record.plies) {
      put(out, ply.move);
      put(out, static_cast<std::uint8_t>(ply.kind));
      put(out, static_cast<std::uint8_t>(ply.policy.size()));
      put(out, part(ply.value));
      for (const auto& [move, probability] : ply.policy) {
        put(out, move);
        put(out, part(probability));
      }
    }
    const auto length = static_cast<std::uint32_t>(out.size() - start - 4);
    for (std::size_t i = 0; i < 4; ++i) out[start + i] = static_cast<char>(length >> 8 * i);
  }

 private:
  // What is no share, or no number at all, would become another share.
  static std::uint16_t part(float p) {
    return static_cast<std::uint16_t>(std::lround(65535 * (p > 0 ? std::min(p, 1.0f) : 0.0f)));
  }
  template <class T>
  static void put(std::string& out, T value) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(bits >> 8 * i));
  }
};

class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }

  // The next record; nullopt if the bytes are none.
  std::optional<GameRecord> next() {
    const auto length = get<std::uint32_t>();
    if (!length || *length > rest_.size()) return std::nullopt;
    const std::size_t left = rest_.size() - *length;
    const auto format = get<std::uint8_t>(), game = get<std::uint8_t>(), size = get<std::uint8_t>();
    const auto result = get<std::uint8_t>();
    const auto margin = get<std::uint16_t>(), plies = get<std::uint16_t>();
    if (!plies || format != kRecordFormat || *game >= std::size(kGameNames)) return std::nullopt;
    GameRecord record{*game, *size, static_cast<std::int8_t>(*result), static_cast<std::int16_t>(*margin), {}};
    if (record.result < -1 || record.result > 1) return std::nullopt;
    for (int i = 0; i < *plies; ++i) {
      const auto move = get<std::uint16_t>();
      const auto kind = get<std::uint8_t>(), count = get<std::uint8_t>();
      const auto value = get<std::uint16_t>();
      if (!value || *kind > 2) return std::nullopt;
      PlyRecord& ply = record.plies.emplace_back(PlyRecord{*move, static_cast<PlyKind>(*kind), whole(*value)});
      for (int k = 0; k < *count; ++k) {
        const auto other = get<std::uint16_t>(), probability = get<std::uint16_t>();
        if (!probability) return std::nullopt;
        ply.policy.emplace_back(*other, whole(*probability));
      }
    }
    return rest_.size() == left ? std::optional(std::move(record)) : std::nullopt;
  }

 private:
  static float whole(std::uint16_t part) { return static_cast<float>(part) / 65535; }
  template <class T>
  std::optional<T> get() {
    if (rest_.size() < sizeof(T)) return std::nullopt;
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<std::uint8_t>(rest_[i])) << 8 * i);
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  std::string_view rest_;
};

}  // namespace purlieu
