// Functions, pretty and generic, and what can only be checked when all of them are known.
#include <algorithm>

#include "base/edit_distance.h"
#include "text/mlir/parser.h"

namespace sw::mlir {

bool Parser::declare_function(Function function, SourceRange where, FunctionId& id) {
  const StringId name = function.name;
  function.where = where;
  const auto found = functions_.find(name);
  if (found != functions_.end()) {
    const std::string spelling(builder_.strings().text(name));
    const SourceRange earlier = builder_.function(found->second).where;
    report(DiagnosticKind::duplicate_symbol, where, "function `@" + spelling + "` is defined twice")
        .note(earlier, "first defined here");
    return false;
  }
  id = builder_.add_function(std::move(function));
  functions_.emplace(name, id);
  return true;
}

// (T {attrs}, U) or T
bool Parser::parse_func_results(TypeList& types, std::vector<Slice<NamedAttr>>& attrs) {
  if (!accept(TokenKind::left_paren)) {
    TypeId type;
    if (!parse_type(type)) return false;
    types.push_back(type);
    attrs.push_back({});
    return true;
  }
  if (accept(TokenKind::right_paren)) return true;
  do {
    TypeId type;
    AttrList list;
    if (!parse_type(type) || !parse_attr_dict(list)) return false;
    sort_attrs(list);
    types.push_back(type);
    attrs.push_back(builder_.attrs(list));
  } while (accept(TokenKind::comma));
  return expect(TokenKind::right_paren, "`,` or `)` behind a result");
}

// func.func private @f(%a: T {attrs}) -> (T {attrs}) attributes {attrs} { body } loc(...)
bool Parser::parse_func() {
  const uint32_t begin = token_.begin;
  advance();
  Function function;
  std::vector<Argument> arguments;
  SourceRange where;
  FunctionId id;
  if (!parse_func_head(function, where, arguments) || !declare_function(std::move(function), where, id)) {
    return parse_body_of_wrong_head(begin);
  }
  if (at(TokenKind::left_brace) && !parse_function_body(id, &arguments)) return false;
  return parse_function_location(id);
}

bool Parser::parse_func_head(Function& function, SourceRange& where, std::vector<Argument>& arguments) {
  if (at_keyword("public") || at_keyword("private") || at_keyword("nested")) {
    function.is_private = text() != "public";
    advance();
  }
  if (!at(TokenKind::symbol)) return fail_expected("the name of a function such as `@main`");
  where = range(token_);
  const std::string_view quoted = text().substr(1);
  function.name = quoted.starts_with('"') ? builder_.name(unescape_mlir(quoted)) : builder_.name(quoted);
  advance();
  TypeList inputs, results;
  if (!parse_arguments(arguments, /*names_optional=*/true)) return false;
  for (const Argument& argument : arguments) {
    inputs.push_back(argument.type);
    function.arg_attrs.push_back(argument.attrs);
  }
  if (accept(TokenKind::arrow) && !parse_func_results(results, function.result_attrs)) return false;
  function.type = builder_.types().function(inputs, results);
  if (accept_keyword("attributes")) {
    AttrList attrs;
    if (!expect(TokenKind::left_brace, "`{` and attributes") || !parse_dictionary_entries(attrs, /*of_op=*/true))
      return false;
    sort_attrs(attrs);
    function.attrs = builder_.attrs(attrs);
  }
  return true;
}

// Reads the body of a function whose head, which begins at `begin`, holds an error, so that errors in the body are
// found in the same run. Its arguments are known by name only. The body is taken to begin with the brace that ends a
// line. True when it was found and passed.
bool Parser::parse_body_of_wrong_head(uint32_t begin) {
  Token open = lexer_.token_at(begin);
  std::vector<Token> names;
  for (bool first = true; open.kind != TokenKind::end; first = false) {
    if (!first && open.kind == TokenKind::identifier && lexer_.text(open) == "func.func") return false;
    if (open.kind == TokenKind::value && lexer_.token_at(open.end).kind == TokenKind::colon) names.push_back(open);
    if (open.kind == TokenKind::left_brace && lexer_.at(open.end) == '\n') break;
    open = lexer_.token_at(open.end);
  }
  if (open.kind == TokenKind::end || stopped_) return false;
  Function nameless;
  nameless.name = builder_.name("(wrong)");
  function_ = builder_.add_function(std::move(nameless));
  values_.push(/*isolated=*/true);
  for (const Token name : names) values_.define(lexer_.text(name), ValueId{}, 1, name.begin);
  braces_ = item_braces_ + 1;
  seek(open.end);
  const RegionId region = builder_.add_region({}, function_);
  const bool fine = parse_region_rest(region, at(TokenKind::block_label) ? BlockId{} : builder_.add_block(region));
  values_.pop();
  return fine;
}

bool Parser::parse_function_location(FunctionId id) {
  if (!at_keyword("loc")) return true;
  LocationId location;
  if (!parse_location(location)) return false;
  builder_.function(id).loc = location;
  return true;
}

// `{ ops }`; without `arguments` the first block names its own (generic form).
bool Parser::parse_function_body(FunctionId id, const std::vector<Argument>* arguments) {
  function_ = id;
  const RegionId region = builder_.add_region({}, id);
  values_.push(/*isolated=*/true);
  advance();
  BlockId block;
  if (arguments != nullptr || !at(TokenKind::block_label)) {
    block = builder_.add_block(region);
    if (arguments != nullptr)
      for (const Argument& argument : *arguments) add_argument(block, argument);
  }
  const bool fine = parse_region_rest(region, block);
  values_.pop();
  builder_.function(id).body = region;
  return fine;
}

// "func.func"() <{arg_attrs = [{...}], function_type = (T) -> T, res_attrs = [...], sym_name = "f", sym_visibility =
// "private"}> ({ ^bb0(%a: T): ops }) {attrs} : () -> ()
bool Parser::parse_generic_func() {
  const SourceRange where = range(token_);
  Function function;
  AttrList attrs;
  advance();
  if (!expect(TokenKind::left_paren, "`()`") || !expect(TokenKind::right_paren, "`)`")) return false;
  if (accept(TokenKind::less)) {
    if (!expect(TokenKind::left_brace, "`{` and properties") || !parse_dictionary_entries(attrs, /*of_op=*/true) ||
        !expect(TokenKind::greater, "`>` behind the properties"))
      return false;
  }
  if (!set_function_properties(function, attrs, where)) return false;
  FunctionId id;
  if (!declare_function(std::move(function), where, id)) return false;
  if (accept(TokenKind::left_paren)) {
    if (!at(TokenKind::left_brace)) return fail_expected("`{` and the body of the function");
    if (lexer_.token_at(token_.end).kind == TokenKind::right_brace) {
      advance();
      advance();
    } else if (!parse_function_body(id, nullptr)) {
      return false;
    }
    if (!expect(TokenKind::right_paren, "`)` behind the body of the function")) return false;
  }
  AttrList discardable;
  TypeList inputs, results;
  if (!parse_attr_dict(discardable) || !expect(TokenKind::colon, "`: () -> ()`") || !parse_paren_type_list(inputs) ||
      !expect(TokenKind::arrow, "`->`") || !parse_result_types(results))
    return false;
  sort_attrs(discardable);
  builder_.function(id).attrs = builder_.attrs(discardable);
  return parse_function_location(id);
}

bool Parser::set_function_properties(Function& function, const AttrList& attrs, SourceRange where) {
  const AttrTable& table = builder_.attr_table();
  const AttrId name = Graph::find(attrs, names_.sym_name);
  const AttrId type = Graph::find(attrs, names_.function_type);
  if (!name.valid() || !type.valid() || table.get(type).kind != AttrKind::type ||
      builder_.types().get(table.get(type).type).kind != TypeKind::function)
    return fail(DiagnosticKind::invalid_op, where, "`func.func` needs `sym_name` and `function_type`");
  function.name = builder_.name(std::string(table.get(name).text));
  function.type = table.get(type).type;
  const AttrId visibility = Graph::find(attrs, names_.sym_visibility);
  function.is_private = visibility.valid() && table.get(visibility).text != "public";
  const Type signature = builder_.types().get(function.type);
  const size_t inputs = signature.input_count;
  const size_t results = signature.elements.size() - inputs;
  const auto spread = [&](StringId key, size_t count, std::vector<Slice<NamedAttr>>& out) {
    out.assign(count, {});
    const AttrId list = Graph::find(attrs, key);
    if (!list.valid()) return true;
    if (table.get(list).elements.size() != count) return false;
    for (size_t i = 0; i < count; ++i) {
      AttrList fields{table.get(table.get(list).elements[i]).fields};
      for (NamedAttr& field : fields)
        if (!canonical(field.name, where, field.value)) return false;
      out[i] = builder_.attrs(fields);
    }
    return true;
  };
  if (spread(names_.arg_attrs, inputs, function.arg_attrs) && spread(names_.res_attrs, results, function.result_attrs))
    return true;
  return fail(DiagnosticKind::invalid_op, where,
              "`func.func` with attributes for other than its arguments and results");
}

void Parser::check_module() {
  choose_main();
  const Graph& graph = builder_.graph();
  for (size_t i = 0; i < graph.function_count(); ++i) check_body(FunctionId{i});
  check_calls();
}

// The entry is @main, else the only public function, else the only one.
void Parser::choose_main() {
  const Graph& graph = builder_.graph();
  FunctionId chosen = graph.function_named(builder_.name("main"));
  if (!chosen.valid()) {
    size_t public_count = 0;
    for (size_t i = 0; i < graph.function_count(); ++i) {
      if (graph.function(FunctionId{i}).is_private || !graph.function(FunctionId{i}).body.valid()) continue;
      ++public_count;
      chosen = FunctionId{i};
    }
    if (public_count != 1) chosen = graph.function_count() == 1 ? FunctionId{size_t{0}} : FunctionId{};
  }
  if (!chosen.valid() || !graph.function(chosen).body.valid()) {
    const size_t count = graph.function_count();
    report(DiagnosticKind::no_main_function, count == 0 ? range(0, 0) : graph.function(FunctionId{size_t{0}}).where,
           count == 0 ? "the module has no function"
                      : "none of the " + std::to_string(count) + " functions is `@main` with a body");
    return;
  }
  builder_.set_main(chosen);
  builder_.function(chosen).is_entry = true;
}

// A body of one block that ends with a return of the function's result types.
void Parser::check_body(FunctionId id) {
  const Graph& graph = builder_.graph();
  const Function& function = graph.function(id);
  if (!function.body.valid()) return;
  const std::string name = "`@" + std::string(graph.strings.text(function.name)) + "`";
  const Block& block = graph.block(graph.region(function.body).blocks.back());
  if (block.ops.empty() || graph.op(block.ops.back()).kind != OpKind::func_return) {
    report(DiagnosticKind::invalid_op, function.where, "the body of " + name + " does not end with `return`");
    return;
  }
  const Op& last = graph.op(block.ops.back());
  const Type type = graph.types.get(function.type);
  const std::span<const TypeId> results = type.elements.subspan(type.input_count);
  const std::span<const ValueId> returned = graph.operands(last);
  if (returned.size() != results.size()) {
    report(DiagnosticKind::wrong_arity, last.where,
           "returns " + plural(returned.size(), "value") + ", but " + name + " has " + plural(results.size(), "result"))
        .note(function.where, "declared here");
    return;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const TypeId actual = graph.value(returned[i]).type;
    if (actual == results[i]) continue;
    report(DiagnosticKind::type_mismatch, last.where,
           "value " + std::to_string(i) + " has type `" + mlir_text(graph.types, actual) + "`, but result " +
               std::to_string(i) + " of " + name + " is `" + mlir_text(graph.types, results[i]) + "`")
        .note(function.where, "declared here");
    return;
  }
}

void Parser::check_calls() {
  const Graph& graph = builder_.graph();
  std::vector<std::vector<std::pair<FunctionId, OpId>>> calls(graph.function_count());
  for (size_t i = 0; i < graph.op_count(); ++i) {
    const OpId id{i};
    const Op& op = graph.op(id);
    if (op.kind != OpKind::call && op.kind != OpKind::composite) continue;
    const AttrId symbol = graph.attr(op, op.kind == OpKind::call ? names_.callee : names_.decomposition);
    if (!symbol.valid()) continue;
    const std::string_view name = graph.attr_table.get(symbol).text;
    const auto found = functions_.find(graph.strings.find(name));
    if (found == functions_.end()) {
      auto message =
          report(DiagnosticKind::undefined_symbol, op.where, "function `@" + std::string(name) + "` is not defined");
      std::vector<std::string_view> names;
      for (size_t f = 0; f < graph.function_count() && f < 500; ++f)
        names.push_back(graph.strings.text(graph.function(FunctionId{f}).name));
      const std::string_view near = nearest_name(name, names);
      if (!near.empty()) message.help("did you mean `@" + std::string(near) + "`?");
      continue;
    }
    const FunctionId caller = graph.region(graph.block(op.parent).parent).function;
    calls[caller.index()].push_back({found->second, id});
    if (op.kind == OpKind::call) check_call_types(op, graph.function(found->second));
  }
  check_recursion(calls);
}

void Parser::check_call_types(const Op& op, const Function& callee) {
  const Graph& graph = builder_.graph();
  const Type type = graph.types.get(callee.type);
  const std::span<const ValueId> operands = graph.operands(op);
  bool same = operands.size() == type.input_count && op.result_count == type.elements.size() - type.input_count;
  for (size_t i = 0; same && i < operands.size(); ++i) same = graph.value(operands[i]).type == type.elements[i];
  for (uint32_t i = 0; same && i < op.result_count; ++i)
    same = graph.value(ValueId{op.first_result.raw + i}).type == type.elements[type.input_count + i];
  if (same) return;
  report(DiagnosticKind::type_mismatch, op.where,
         "the call does not fit `@" + std::string(graph.strings.text(callee.name)) + "` of type `" +
             mlir_text(graph.types, callee.type) + "`")
      .note(callee.where, "declared here");
}

// Depth-first over the calls, with a stack of our own: a call to a function that is still open closes a cycle.
void Parser::check_recursion(const std::vector<std::vector<std::pair<FunctionId, OpId>>>& calls) {
  const Graph& graph = builder_.graph();
  enum : uint8_t { unseen, open, done };
  std::vector<uint8_t> state(calls.size(), unseen);
  std::vector<std::pair<FunctionId, size_t>> stack;
  for (size_t root = 0; root < calls.size(); ++root) {
    if (state[root] != unseen) continue;
    state[root] = open;
    stack.push_back({FunctionId{root}, 0});
    while (!stack.empty()) {
      auto& [function, next] = stack.back();
      if (next == calls[function.index()].size()) {
        state[function.index()] = done;
        stack.pop_back();
        continue;
      }
      const auto [callee, op] = calls[function.index()][next++];
      if (state[callee.index()] == open) {
        report(DiagnosticKind::call_recursion, graph.op(op).where,
               "`@" + std::string(graph.strings.text(graph.function(callee).name)) +
                   "` calls itself, directly or through others")
            .note(graph.function(callee).where, "declared here");
        return;
      }
      if (state[callee.index()] == unseen) {
        state[callee.index()] = open;
        stack.push_back({callee, 0});
      }
    }
  }
}

}  // namespace sw::mlir
