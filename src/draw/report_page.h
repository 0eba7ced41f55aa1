// The page of the HTML report as embedded: what stands before its data and what stands after. Built from src/draw/page
// by scripts/cmake/EmbedPage.cmake.
#pragma once

#include <string_view>

namespace sw {

std::string_view report_page_head();
std::string_view report_page_tail();

}  // namespace sw
