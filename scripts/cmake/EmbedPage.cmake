# cmake -DPAGE=report.html -DSTYLE=report.css "-DSCRIPTS=a.js;b.js" -DOUT=report_page.cc -P EmbedPage.cmake
#
# Puts style and scripts into the page and writes it as two arrays of bytes, split at @DATA@. The page's security policy
# names the hashes of both, so that nothing else that might come to stand in the page would run.

cmake_minimum_required(VERSION 3.25)

# SHA-256 of a text in base64, as the policy wants it.
function(hash_of text result)
  string(SHA256 hex "${text}")
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(out "")
  foreach(i RANGE 0 60 6) # 32 bytes are 10 groups of 3 and one of 2
    string(SUBSTRING "${hex}00" ${i} 6 group)
    math(EXPR bits "0x${group}")
    foreach(shift 18 12 6 0)
      math(EXPR digit "(${bits} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${digit} 1 letter)
      string(APPEND out "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${out}" 0 43 out)
  set(${result} "sha256-${out}=" PARENT_SCOPE)
endfunction()

# A text as the definition of a function that returns it.
function(embed name text result)
  string(HEX "${text}" bytes)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REPEAT "0x..," 24 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  set(${result} "static constexpr unsigned char k_${name}[] = {\n${bytes}0};
std::string_view report_page_${name}() { return {reinterpret_cast<const char*>(k_${name}), sizeof(k_${name}) - 1}; }
" PARENT_SCOPE)
endfunction()

file(READ "${PAGE}" page)
file(READ "${STYLE}" style)
set(script "")
foreach(file IN LISTS SCRIPTS)
  file(READ "${file}" text)
  string(APPEND script "${text}")
endforeach()
set(script "'use strict';\n(() => {\n${script}})();\n")
hash_of("${style}" style_hash)
hash_of("${script}" script_hash)
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
string(FIND "${page}" "@DATA@" at)
string(SUBSTRING "${page}" 0 ${at} head)
math(EXPR at "${at} + 6")
string(SUBSTRING "${page}" ${at} -1 tail)
embed(head "${head}" head)
embed(tail "${tail}" tail)
file(WRITE "${OUT}" "#include \"draw/report_page.h\"\n\nnamespace sw {\n\n${head}\n${tail}\n}  // namespace sw\n")
