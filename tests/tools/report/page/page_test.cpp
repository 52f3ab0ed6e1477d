// A page is one file that nothing in it can break out of, and its blocks are what they were made of.
#include "tools/report/page/page.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <span>
#include <zlib.h>

#include "tests/tools/report/page/page_spec.hpp"
#include "tools/report/page/assets.hpp"

namespace weft::tools::page {
namespace {

std::vector<unsigned char> from_base64(const std::string& text) {
  std::vector<unsigned char> bytes;
  u32 group = 0, digits = 0;
  for (const char c : text) {
    const char* const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* const at = std::strchr(all, c);
    if (c == '=' || at == nullptr) continue;
    group = group << 6 | static_cast<u32>(at - all);
    if (++digits % 4 != 1) bytes.push_back(static_cast<unsigned char>(group >> (6 - 2 * ((digits - 1) % 4)) & 255));
  }
  return bytes;
}

std::vector<unsigned char> unzipped(const std::vector<unsigned char>& packed, std::size_t bytes) {
  std::vector<unsigned char> out(bytes + 1);
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = const_cast<unsigned char*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.total_out, bytes);
  inflateEnd(&stream);
  out.resize(bytes);
  return out;
}

TEST(Page, BlocksAreWhatTheyWereMadeOf) {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{100'001}}) {
    std::vector<float> values(count);
    for (std::size_t ix = 0; ix < count; ++ix) values[ix] = std::sin(static_cast<float>(ix)) * 1e3F;
    Page page("numbers");
    const Json block = page.block(values);
    EXPECT_EQ(block["type"], "f32");
    EXPECT_EQ(block["shape"], Json::array({count}));
    const std::string html = page.html(), mark = "data-type=\"f32\">";
    const std::size_t from = html.find(mark) + mark.size(), to = html.find("</script>", from);
    const auto bytes = unzipped(from_base64(html.substr(from, to - from)), 4 * count);
    EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(bytes)), std::as_bytes(std::span(values))));
  }
}

TEST(Page, FewNumbersAreWrittenAsTheyAre) {
  Page page("numbers");
  EXPECT_EQ(page.numbers({1, 2.5}), Json({1.0, 2.5}));
  EXPECT_EQ(page.numbers(std::vector<double>(100'000, 1))["type"], "f64");
}

TEST(Page, NoTextEndsTheScriptThatItStandsIn) {
  const std::string hostile = "</script><img src=x onerror=alert(1)> \"quoted\" <!-- \xff\xfe \u2028 & '";
  Page page(hostile);
  page.lead(hostile);
  page.section("a", hostile);
  page.note(hostile);
  page.figure({{"kind", "table"}, {"title", hostile}, {"columns", Json::array()}, {"rows", Json::array()}});
  const std::string html = page.html();
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("</script><"), std::string::npos);
  const std::string read = testing::page_spec(html)["sections"][0]["title"];
  EXPECT_EQ(read.substr(0, 20), hostile.substr(0, 20));
}

TEST(Page, WhatIsNoNumberIsNull) {
  Page page("odd");
  page.section("a", "A");
  page.figure({{"kind", "x"}, {"values", {1.0, std::nan(""), HUGE_VAL}}});
  EXPECT_EQ(testing::page_spec(page.html())["sections"][0]["figures"][0]["values"], Json({1.0, nullptr, nullptr}));
  EXPECT_TRUE(cell(std::nan("")).is_null());
  EXPECT_EQ(cell(2, 0.5)["plus_minus"], 0.5);
}

TEST(Page, EqualClocksAreOne) {
  Page page("clocks");
  EXPECT_EQ(page.clock(2.5, 4), 0u);
  EXPECT_EQ(page.clock(0, 4), 1u);
  EXPECT_EQ(page.clock(2.5, 4), 0u);
  EXPECT_EQ(testing::page_spec(page.html())["clocks"].size(), 2u);
}

TEST(Page, SectionsWithoutContentAreLeftOut) {
  Page page("sections");
  page.section("empty", "Empty");
  page.section("full", "Full");
  page.note("something");
  page.section("last", "Last");
  const auto sections = testing::page_spec(page.html())["sections"];
  ASSERT_EQ(sections.size(), 1u);
  EXPECT_EQ(sections[0]["id"], "full");
}

TEST(Page, BringsItsScriptsAndTheLicenceOfWhatItBringsAlong) {
  const std::string html = Page("whole").html();
  for (const Asset& asset : assets()) EXPECT_NE(html.find(asset.text), std::string::npos) << asset.name;
  EXPECT_NE(html.find("MIT License"), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (const char* part : {" src=\"http", "@import", "url(http", "<link"})
    EXPECT_EQ(html.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace weft::tools::page
