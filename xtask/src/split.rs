//! Owns how the core's module comes to the phone in two parts on one memory: the first with what the first screens call,
//! and the rest, which is fetched with the first screen or change that asks for more.
//!
//! Some functions are deferred: the methods of `Phone` that `LIST` does not name, and the one by which commands are
//! decided. In the first part, each calls through a place of its own in the table of functions; the rest has the functions
//! with all that only they call, imports what the first part has, and fills these places when it is instantiated. Until
//! then a deferred function traps. None is called so early: TypeScript offers `FirstPhone` until the rest is there, which has
//! the listed methods alone, and changes that have to be decided wait for it (`pwa/src/data/business/openBusiness.ts`).

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use walrus::passes::gc;
use walrus::{
    ConstExpr, Data, Element, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId,
    FunctionKind, GlobalKind, ImportId, ImportKind, ImportedFunction, Module, RefType, TableId, ir,
};

/// The list of what the first part has of `Phone`: a type, so that screens are held to it.
pub const LIST: &str = "pwa/src/core/first.ts";

/// How the list names its type, up to the first of its names.
const LIST_BEGINS: &str = "type FirstOfPhone =";

/// How exports of `Phone` begin; all others are of the first part.
const CLASS: &str = "phone_";

/// The constructor, which is no method and so in no list.
const CONSTRUCTOR: &str = "phone_new";

/// Path of the function by which commands are decided; its name ends with a hash.
const DECIDE: &str = "walkies_core::commands::command::decide::h";

/// The name by which the rest imports from the first part (`pwa/src/core/index.ts`).
const FIRST: &str = "first";

/// The rest's file, which lies beside the first part.
pub const REST: &str = "walkies_rest_bg.wasm";

/// Parts the module `file` of a folder in two, the rest beside it.
pub fn apart(folder: &str, file: &str) -> Result<()> {
    let file = format!("{folder}/{file}");
    let (first, rest) = parts(&fs::read(&file)?, &listed(&fs::read_to_string(LIST)?)?)?;
    fs::write(&file, first)?;
    Ok(fs::write(format!("{folder}/{REST}"), rest)?)
}

/// Returns the exports that the list names.
fn listed(text: &str) -> Result<Vec<String>> {
    let (_, names) = text
        .split_once(LIST_BEGINS)
        .with_context(|| format!("{LIST} has no `{LIST_BEGINS}`."))?;
    let (names, _) = names
        .split_once(';')
        .with_context(|| format!("the list in {LIST} has no end."))?;
    let names = names.split('|').map(|it| it.trim().trim_matches('"'));
    let names = names.filter(|it| !it.is_empty());
    Ok(names.map(|it| format!("{CLASS}{it}")).collect())
}

/// Returns the first part and the rest of a module, of whose methods of `Phone` the first part has the listed ones.
fn parts(whole: &[u8], listed: &[String]) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut first, mut rest) = (Module::from_buffer(whole)?, Module::from_buffer(whole)?);
    call_through_table(&mut first, listed)?;
    fill_table(&mut rest, listed)?;
    share(&mut first, &mut rest)?;
    Ok((first.emit_wasm(), rest.emit_wasm()))
}

/// Finds the functions that come with the rest, in their order.
fn deferred(module: &Module, listed: &[String]) -> Result<Vec<FunctionId>> {
    let has = |name: &String| module.exports.iter().any(|it| it.name == *name);
    if let Some(name) = listed.iter().find(|it| !has(it)) {
        bail!("{LIST} lists {name}, which the module does not have.");
    }
    let is_later = |name: &str| {
        name.starts_with(CLASS) && name != CONSTRUCTOR && !listed.iter().any(|it| it == name)
    };
    let (mut later, mut now) = (BTreeSet::new(), BTreeSet::new());
    for export in module.exports.iter() {
        if let ExportItem::Function(id) = export.item {
            let part = if is_later(&export.name) {
                &mut later
            } else {
                &mut now
            };
            part.insert(id);
        }
    }
    let is_decide = |name: &str| name.starts_with(DECIDE);
    let mut functions = module.funcs.iter();
    let decide = functions.find(|it| it.name.as_deref().is_some_and(is_decide));
    later.insert(decide.context("the module has no `decide`.")?.id());
    // One function may be several methods: equal ones are made one.
    Ok(later.difference(&now).copied().collect())
}

/// Adds places to the table of functions, of which the first is returned.
fn add_places(module: &mut Module, count: usize) -> Result<(TableId, i32)> {
    let mut tables = module.tables.iter_mut();
    let table = tables.find(|it| it.element_ty == RefType::FUNCREF);
    let table = table.context("the module has no table of functions.")?;
    let begin = table.initial;
    table.initial += u64::try_from(count)?;
    table.maximum = table.maximum.map(|it| it.max(table.initial));
    Ok((table.id(), i32::try_from(begin)?))
}

/// Makes the first part of the module: each deferred function calls what lies at its place of the table.
fn call_through_table(module: &mut Module, listed: &[String]) -> Result<()> {
    let deferred = deferred(module, listed)?;
    let (table, begin) = add_places(module, deferred.len())?;
    for (function, place) in deferred.into_iter().zip(begin..) {
        let ty = module.funcs.get(function).ty();
        let (params, results) = module.types.params_results(ty);
        let (params, results) = (params.to_vec(), results.to_vec());
        let args: Vec<_> = params.iter().map(|it| module.locals.add(*it)).collect();
        let mut calling = FunctionBuilder::new(&mut module.types, &params, &results);
        let mut body = calling.func_body();
        for arg in &args {
            body.local_get(*arg);
        }
        body.i32_const(place).call_indirect(ty, table);
        let function = module.funcs.get_mut(function);
        function.kind = FunctionKind::Local(calling.local_func(args));
    }
    // What is imported stays for the rest, which may be the only one that calls it.
    let imported = module.imports.iter().filter_map(|it| match it.kind {
        ImportKind::Function(id) => Some(id),
        _ => None,
    });
    let imported: Vec<FunctionId> = imported.collect();
    let kept: Vec<_> = imported
        .into_iter()
        .map(|it| module.exports.add("", it))
        .collect();
    gc::run(module);
    kept.into_iter().for_each(|it| module.exports.delete(it));
    Ok(())
}

/// Makes the rest of the module: all that it does is to put the deferred functions at their places of the table.
fn fill_table(module: &mut Module, listed: &[String]) -> Result<()> {
    ensure!(module.start.is_none(), "the module starts by itself.");
    let deferred = deferred(module, listed)?;
    let (table, begin) = add_places(module, deferred.len())?;
    let exports: Vec<_> = module.exports.iter().map(|it| it.id()).collect();
    exports.into_iter().for_each(|it| module.exports.delete(it));
    let data: Vec<_> = module.data.iter().map(Data::id).collect();
    data.into_iter().for_each(|it| module.data.delete(it));
    let elements: Vec<_> = module.elements.iter().map(Element::id).collect();
    elements
        .into_iter()
        .for_each(|it| module.elements.delete(it));
    for memory in module.memories.iter_mut() {
        memory.data_segments.clear();
    }
    let kind = ElementKind::Active {
        table,
        offset: ConstExpr::Value(ir::Value::I32(begin)),
    };
    let places = module.elements.add(kind, ElementItems::Functions(deferred));
    for table in module.tables.iter_mut() {
        table.elem_segments.clear();
    }
    module.tables.get_mut(table).elem_segments.insert(places);
    Ok(())
}

/// Has the rest import from the first part what that has, too.
fn share(first: &mut Module, rest: &mut Module) -> Result<()> {
    let deferred = filled(rest);
    // Both were read from the same bytes: what is the same has the same index.
    let mut shared: Vec<(ImportId, ExportItem)> = Vec::new();
    for memory in first.memories.iter() {
        let it = same(
            rest.memories.iter_mut(),
            |it| it.id().index(),
            memory.id().index(),
        )?;
        let import = rest.imports.add(FIRST, "", it.id());
        it.import = Some(import);
        shared.push((import, memory.id().into()));
    }
    for table in first.tables.iter() {
        let it = same(
            rest.tables.iter_mut(),
            |it| it.id().index(),
            table.id().index(),
        )?;
        let import = rest.imports.add(FIRST, "", it.id());
        it.import = Some(import);
        shared.push((import, table.id().into()));
    }
    for global in first.globals.iter() {
        let it = same(
            rest.globals.iter(),
            |it| it.id().index(),
            global.id().index(),
        )?
        .id();
        let import = rest.imports.add(FIRST, "", it);
        rest.globals.get_mut(it).kind = GlobalKind::Import(import);
        shared.push((import, global.id().into()));
    }
    for function in first.funcs.iter() {
        let index = function.id().index();
        if deferred.contains(&index) {
            continue;
        }
        let it = same(rest.funcs.iter_mut(), |it| it.id().index(), index)?;
        let (id, ty) = (it.id(), it.ty());
        let import = match &it.kind {
            FunctionKind::Import(it) => it.import,
            _ => rest.imports.add(FIRST, "", id),
        };
        rest.imports.get_mut(import).module = FIRST.to_owned();
        it.kind = FunctionKind::Import(ImportedFunction { import, ty });
        shared.push((import, function.id().into()));
    }
    gc::run(rest);
    let used: BTreeSet<ImportId> = rest.imports.iter().map(|it| it.id()).collect();
    let used = shared.into_iter().filter(|it| used.contains(&it.0));
    for (number, (import, item)) in used.enumerate() {
        // As short as can be.
        let name = number.to_string();
        first.exports.add(&name, item);
        rest.imports.get_mut(import).name = name;
    }
    Ok(())
}

/// Returns the indices of the functions that the rest puts into the table.
fn filled(rest: &Module) -> Vec<usize> {
    let places = rest.elements.iter().filter_map(|it| match &it.items {
        ElementItems::Functions(functions) => Some(functions.iter().map(|it| it.index())),
        ElementItems::Expressions(..) => None,
    });
    places.flatten().collect()
}

/// Returns the item whose index is `index`; fails if the two readings of the module differ.
fn same<T>(
    mut of: impl Iterator<Item = T>,
    index_of: impl Fn(&T) -> usize,
    index: usize,
) -> Result<T> {
    let found = of.find(|it| index_of(it) == index);
    found.context("the two readings of the module differ.")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use walrus::ValType;

    use super::*;

    /// A function of this name that calls these.
    fn function(module: &mut Module, name: &str, calls: &[FunctionId]) -> FunctionId {
        let mut built = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[]);
        built.name(name.to_owned());
        let arg = module.locals.add(ValType::I32);
        calls.iter().for_each(|it| {
            built.func_body().local_get(arg).call(*it);
        });
        built.finish(vec![arg], &mut module.funcs)
    }

    /// Name that the compiler gives to the function by which commands are decided.
    const DECIDES: &str = "walkies_core::commands::command::decide::h0123456789abcdef";

    /// A module with methods of `Phone`, each with a function of its own, one that they share, one that is called through
    /// the table, and what imports are called by; the constructor and the one for later decide.
    fn whole() -> Vec<u8> {
        let mut module = Module::default();
        let memory = module.memories.add_local(false, false, 1, None, None);
        module.exports.add("memory", memory);
        let ty = module.types.add(&[ValType::I32], &[]);
        let (imported, _) = module.add_import_func("./script.js", "imported", ty);
        let shared = function(&mut module, "shared", &[]);
        let by_table = function(&mut module, "by_table", &[]);
        let own_decides = function(&mut module, "own_decides", &[]);
        let decides = function(&mut module, DECIDES, &[shared, own_decides]);
        let table = module.tables.add_local(false, 2, Some(2), RefType::FUNCREF);
        module.exports.add("table", table);
        let offset = ConstExpr::Value(ir::Value::I32(1));
        let kind = ElementKind::Active { table, offset };
        let items = ElementItems::Functions(vec![by_table]);
        let element = module.elements.add(kind, items);
        module.tables.get_mut(table).elem_segments.insert(element);
        for (method, further) in [("new", decides), ("now", shared), ("later", imported)] {
            let own = function(&mut module, &format!("own_{method}"), &[]);
            let calls = [shared, own, further, decides];
            let calls = if method == "now" { &calls[..2] } else { &calls };
            let called = function(&mut module, method, calls);
            module.exports.add(&format!("{CLASS}{method}"), called);
        }
        module.emit_wasm()
    }

    /// Returns both parts of it, of which the first has `now`.
    fn both() -> (Module, Module) {
        let (first, rest) = parts(&whole(), &["phone_now".to_owned()]).expect("it can be parted");
        let read = |it: &[u8]| Module::from_buffer(it).expect("it is a module");
        (read(&first), read(&rest))
    }

    /// Returns the names of the functions that a part has itself.
    fn own(part: &Module) -> Vec<&str> {
        let functions = part.funcs.iter_local();
        let mut own: Vec<&str> = functions
            .filter_map(|(id, _)| part.funcs.get(id).name.as_deref())
            .collect();
        own.sort_unstable();
        own
    }

    /// Returns the functions that a part puts into the table, by name, with their places.
    fn filled_places(part: &Module) -> BTreeMap<&str, i32> {
        let name = |it: &FunctionId| part.funcs.get(*it).name.as_deref().unwrap_or_default();
        let mut places = BTreeMap::new();
        for element in part.elements.iter() {
            match (&element.kind, &element.items) {
                (
                    ElementKind::Active {
                        offset: ConstExpr::Value(ir::Value::I32(begin)),
                        ..
                    },
                    ElementItems::Functions(functions),
                ) => places.extend(functions.iter().map(name).zip(*begin..)),
                _ => panic!("it is of another kind"),
            }
        }
        places
    }

    /// Returns the number in the body of a function, which is the place of the table that it calls.
    fn called_place(part: &Module, name: &str) -> i32 {
        let id = part.funcs.by_name(name).expect("a function");
        let function = part.funcs.get(id).kind.unwrap_local();
        let body = &function.block(function.entry_block()).instrs;
        let mut numbers = body.iter().filter_map(|(it, _)| match it {
            ir::Instr::Const(ir::Const {
                value: ir::Value::I32(it),
            }) => Some(*it),
            _ => None,
        });
        numbers.next().expect("a number")
    }

    #[test]
    fn the_rest_has_the_deferred_functions_and_what_only_they_call() {
        let (first, rest) = both();
        // Those of the first part that are deferred only call through the table.
        let mut own_first = own(&first);
        own_first.retain(|it| ![DECIDES, "later"].contains(it));
        assert_eq!(
            own_first,
            ["by_table", "new", "now", "own_new", "own_now", "shared"]
        );
        assert_eq!(own(&rest), ["later", "own_decides", "own_later", DECIDES]);
    }

    #[test]
    fn deferred_functions_call_the_places_that_the_rest_fills() {
        let (first, rest) = both();
        assert_eq!(filled_places(&first), [("by_table", 1)].into());
        let places = filled_places(&rest);
        let called = ["later", DECIDES].map(|it| (it, called_place(&first, it)));
        assert_eq!(places, called.into());
        // Behind those that the table had.
        assert_eq!(
            places.into_values().collect::<BTreeSet<i32>>(),
            [2, 3].into()
        );
        for part in [&first, &rest] {
            let table = part.tables.iter().next().expect("a table");
            assert_eq!((table.initial, table.maximum), (4, Some(4)));
        }
    }

    #[test]
    fn the_first_part_has_every_export_and_what_the_rest_imports() {
        let (first, rest) = both();
        let exported: Vec<&str> = first.exports.iter().map(|it| it.name.as_str()).collect();
        for name in ["memory", "table", "phone_new", "phone_now", "phone_later"] {
            assert!(exported.contains(&name), "{name}");
        }
        // The memory is not used; the table, the shared function and the imported one are.
        assert_eq!(rest.imports.iter().count(), 3);
        for import in rest.imports.iter() {
            assert_eq!(import.module, FIRST);
            assert!(exported.contains(&import.name.as_str()), "{}", import.name);
        }
        assert_eq!(rest.exports.iter().count(), 0);
    }

    #[test]
    fn a_listed_method_that_is_not_there_fails_the_build() {
        let error = parts(&whole(), &["phone_never".to_owned()]).expect_err("there is none");
        assert!(error.to_string().contains("phone_never"), "{error}");
    }

    #[test]
    fn the_list_is_read_as_typescript_has_it() {
        let list = "/** Its names. */\ntype FirstOfPhone =\n  | \"now\"\n  | \"today\";\n";
        let names = listed(list).expect("it is a list");
        assert_eq!(names, ["phone_now", "phone_today"]);
    }
}
