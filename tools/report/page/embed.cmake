# Writes the files of pages into a .cpp file as arrays of bytes.
#   cmake -D OUT=assets.cpp -D FILES="name=path;name=path" -P embed.cmake
string(CONCAT text
    "// Made by tools/report/page/embed.cmake of the files that pages are made of.\n"
    "#include \"tools/report/page/assets.hpp\"\n\nnamespace weft::tools::page {\nnamespace {\n\n")
set(list "")
set(number 0)
foreach(entry ${FILES})
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${entry}")
  set(name "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "constexpr unsigned char file_${number}[] = {${bytes}0};\n")
  string(APPEND list "    {\"${name}\", {reinterpret_cast<const char*>(file_${number}), sizeof file_${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text
    "\n}  // namespace\n\nconst std::vector<Asset>& assets() {\n  static const std::vector<Asset> all{\n${list}  };\n"
    "  return all;\n}\n\n}  // namespace weft::tools::page\n")
file(WRITE "${OUT}" "${text}")
