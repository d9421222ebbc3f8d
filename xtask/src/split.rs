//! Owns how the core's module comes to the phone in two parts: what the first screens call, with all that they may call by
//! way of it, and the rest, which shares its memory and is fetched with the first screen that asks for more.
//!
//! A function goes to the rest only if it is called by nothing but doors that are opened later, or by what commands decide,
//! which is called through the table; all else that is called so stays. Until the rest is there its places in the table are
//! empty. A call can thus come too early by a door, and those only `Phone` has, behind which TypeScript lets nobody look
//! before the rest is there; or by an entry of the outbox, none of which comes into a replica before
//! (`pwa/src/data/business/openBusiness.ts`).

use std::fs;

use anyhow::{Context, Result, bail, ensure};
use walrus::passes::gc;
use walrus::{
    ConstExpr, Data, Element, ElementItems, ElementKind, ExportItem, FunctionId, FunctionKind,
    GlobalKind, ImportId, ImportedFunction, Module, TableId, ir,
};

/// The list of what the first part has of `Phone`: a type, so that screens are held to it.
pub const LIST: &str = "pwa/src/core/first.ts";

/// How the list names its type, up to the first of its names.
const LIST_BEGINS: &str = "type FirstOfPhone =";

/// How exports of `Phone` begin; all others are of the first part.
const CLASS: &str = "phone_";

/// The name by which the rest imports from the first part.
const FIRST: &str = "first";

/// The rest's file, which lies beside the first part.
pub const REST: &str = "walkies_rest_bg.wasm";

/// Parts the module `file` in two, the rest beside it, and has `script` and `types`, which wasm-bindgen made for it, load both.
pub fn apart(folder: &str, name: &str) -> Result<()> {
    let file = format!("{folder}/{name}_bg.wasm");
    let listed = listed(&fs::read_to_string(LIST)?)?;
    let whole = fs::read(&file)?;
    let (first, rest) = parts(&whole, &listed)?;
    fs::write(&file, first)?;
    fs::write(format!("{folder}/{REST}"), rest)?;
    let script = format!("{folder}/{name}.js");
    fs::write(&script, loading_both(&fs::read_to_string(&script)?)?)?;
    let types = format!("{folder}/{name}.d.ts");
    let declared = fs::read_to_string(&types)?;
    fs::write(&types, format!("{declared}\n{LOADS_REST_TYPE}"))?;
    Ok(())
}

/// The names in the list.
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

/// The first part and the rest of a module whose first doors are listed.
fn parts(whole: &[u8], listed: &[String]) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut first, mut rest) = (Module::from_buffer(whole)?, Module::from_buffer(whole)?);
    for name in listed {
        let is_there = first.exports.iter().any(|it| it.name == *name);
        ensure!(
            is_there,
            "{LIST} lists {name}, which the module does not have."
        );
    }
    // `new`, where an object comes from, is no method.
    let is_later = |name: &str| {
        name.starts_with(CLASS) && name != "phone_new" && !listed.iter().any(|it| it == name)
    };
    let exports = first.exports.iter().map(|it| (it.id(), is_later(&it.name)));
    for (id, is_later) in exports.collect::<Vec<_>>() {
        if is_later {
            first.exports.delete(id);
        }
    }
    let deferred = fill_table(&mut first, |name| !is_deferred(name))?;
    ensure!(
        0 < deferred,
        "nothing in the table is what a command decides."
    );
    gc::run(&mut first);
    let exports = rest.exports.iter().map(|it| (it.id(), is_later(&it.name)));
    for (id, is_later) in exports.collect::<Vec<_>>() {
        if !is_later {
            rest.exports.delete(id);
        }
    }
    fill_table(&mut rest, is_deferred)?;
    let shared = import_what_is_first(&mut rest, &first)?;
    gc::run(&mut rest);
    let used: Vec<ImportId> = rest.imports.iter().map(|it| it.id()).collect();
    let used = shared.into_iter().filter(|it| used.contains(&it.0));
    for (number, (import, item)) in used.enumerate() {
        // As short as can be, and no name of a door.
        let name = number.to_string();
        first.exports.add(&name, item);
        rest.imports.get_mut(import).name = name;
    }
    Ok((first.emit_wasm(), rest.emit_wasm()))
}

/// True for the functions by which commands decide, or say what they have to know for it: by the trait's methods, as
/// wasm-bindgen leaves their names.
fn is_deferred(name: &str) -> bool {
    let methods = name.split_once(" as walkies_core::commands::decision::Intent>::");
    methods.is_some_and(|(_, it)| it.starts_with("decide") || it.starts_with("needs"))
}

/// Leaves only those functions in the table whose names are wanted, each in its place; how many are left out.
fn fill_table(module: &mut Module, is_wanted: impl Fn(&str) -> bool) -> Result<usize> {
    let mut left_out = 0;
    let elements: Vec<_> = module.elements.iter().map(Element::id).collect();
    for id in elements {
        let element = module.elements.get(id);
        let (ElementKind::Active { table, offset }, ElementItems::Functions(functions)) =
            (&element.kind, &element.items)
        else {
            bail!("the module has a table of a kind that is not known here.");
        };
        let ConstExpr::Value(ir::Value::I32(begin)) = *offset else {
            bail!("the place of a table's functions is not known.");
        };
        let (table, functions) = (*table, functions.clone());
        let name = |it: &FunctionId| module.funcs.get(*it).name.clone().unwrap_or_default();
        let wanted: Vec<bool> = functions.iter().map(|it| is_wanted(&name(it))).collect();
        left_out += wanted.iter().filter(|it| !**it).count();
        module.tables.get_mut(table).elem_segments.remove(&id);
        module.elements.delete(id);
        let places = functions.into_iter().zip(wanted).zip(begin..);
        let mut run: Vec<FunctionId> = Vec::new();
        let mut end = begin;
        for ((function, is_wanted), place) in places {
            if is_wanted {
                run.push(function);
            } else {
                put_in_table(module, table, place, &mut run);
            }
            end = place + 1;
        }
        put_in_table(module, table, end, &mut run);
    }
    Ok(left_out)
}

/// Puts these into the table, the last of them before `end`.
fn put_in_table(module: &mut Module, table: TableId, end: i32, run: &mut Vec<FunctionId>) {
    let functions = std::mem::take(run);
    let length = i32::try_from(functions.len()).unwrap_or_default();
    if functions.is_empty() {
        return;
    }
    let offset = ConstExpr::Value(ir::Value::I32(end - length));
    let kind = ElementKind::Active { table, offset };
    let items = ElementItems::Functions(functions);
    let element = module.elements.add(kind, items);
    module.tables.get_mut(table).elem_segments.insert(element);
}

/// Has the rest import what the first part has, too: each import with what the first part is to export for it.
fn import_what_is_first(rest: &mut Module, first: &Module) -> Result<Vec<(ImportId, ExportItem)>> {
    // The first part has done it: filled memory and tables.
    let data: Vec<_> = rest.data.iter().map(Data::id).collect();
    data.into_iter().for_each(|it| rest.data.delete(it));
    ensure!(rest.start.is_none(), "the module starts by itself.");

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
        it.data_segments.clear();
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
    for (function, _) in first.funcs.iter_local() {
        let it = same(
            rest.funcs.iter_mut(),
            |it| it.id().index(),
            function.index(),
        )?;
        let (id, ty) = (it.id(), it.ty());
        let import = rest.imports.add(FIRST, "", id);
        it.kind = FunctionKind::Import(ImportedFunction { import, ty });
        shared.push((import, function.into()));
    }
    Ok(shared)
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

/// Statement by which wasm-bindgen's script takes the exports of the one module that it knows.
const TAKES_EXPORTS: &str = "wasm = instance.exports;";

/// An object of its own, to which those of the rest come.
const TAKES_EXPORTS_OF_BOTH: &str = "wasm = { ...instance.exports };";

/// Fetches the rest while the first part may still be on its way.
const LOADS_REST: &str = r#"
export async function loadRest() {
    const url = new URL('walkies_rest_bg.wasm', import.meta.url);
    const [response] = await Promise.all([fetch(url), __wbg_init()]);
    const { instance } = await __wbg_load(response, { ...__wbg_get_imports(), first: wasm });
    Object.assign(wasm, instance.exports);
}
"#;

const LOADS_REST_TYPE: &str = "\
/** Loads both parts of the module; what `default` leaves out is not called before. */
export function loadRest(): Promise<void>;
";

/// The script of wasm-bindgen, which calls the exports of both.
fn loading_both(script: &str) -> Result<String> {
    let parts: Vec<&str> = script.split(TAKES_EXPORTS).collect();
    ensure!(
        parts.len() == 2,
        "wasm-bindgen's script does not say `{TAKES_EXPORTS}` once."
    );
    Ok(parts.join(TAKES_EXPORTS_OF_BOTH) + LOADS_REST)
}

#[cfg(test)]
mod tests {
    use walrus::{FunctionBuilder, RefType};

    use super::*;

    /// A function of this name that calls these.
    fn function(module: &mut Module, name: &str, calls: &[FunctionId]) -> FunctionId {
        let mut built = FunctionBuilder::new(&mut module.types, &[], &[]);
        built.name(name.to_owned());
        calls.iter().for_each(|it| {
            built.func_body().call(*it);
        });
        built.finish(Vec::new(), &mut module.funcs)
    }

    /// Name that wasm-bindgen gives to the function by which a command decides.
    const DECIDES: &str = "<walkies_core::commands::client::DeleteClient as walkies_core::commands::decision::Intent>::decide";

    /// A module that has these doors to what they share, to what each has for itself, and to what is called by a table: a
    /// command's decision, with what it has for itself, among others.
    fn whole() -> Vec<u8> {
        let mut module = Module::default();
        let memory = module.memories.add_local(false, false, 1, None, None);
        module.exports.add("memory", memory);
        let shared = function(&mut module, "shared", &[]);
        let by_table = function(&mut module, "by_table", &[]);
        let own_decides = function(&mut module, "own_decides", &[]);
        let decides = function(&mut module, DECIDES, &[shared, own_decides]);
        let table = module.tables.add_local(false, 4, None, RefType::FUNCREF);
        module.exports.add("table", table);
        let at = ConstExpr::Value(ir::Value::I32(1));
        let kind = ElementKind::Active { table, offset: at };
        let items = ElementItems::Functions(vec![by_table, decides, by_table]);
        let element = module.elements.add(kind, items);
        module.tables.get_mut(table).elem_segments.insert(element);
        for door in ["new", "now", "later"] {
            let own = function(&mut module, &format!("own_{door}"), &[]);
            let calls = [shared, own, by_table];
            let opened = function(&mut module, door, &calls);
            module.exports.add(&format!("{CLASS}{door}"), opened);
        }
        module.emit_wasm()
    }

    /// The names of the functions that a part has itself.
    fn own(part: &[u8]) -> Vec<String> {
        let part = Module::from_buffer(part).expect("it is a module");
        let mut own: Vec<String> = part
            .funcs
            .iter_local()
            .filter_map(|(id, _)| part.funcs.get(id).name.clone())
            .collect();
        own.sort();
        own
    }

    #[test]
    fn the_rest_has_only_what_its_own_doors_alone_call() {
        let (first, rest) = parts(&whole(), &["phone_now".to_owned()]).expect("it can be parted");
        assert_eq!(
            own(&first),
            ["by_table", "new", "now", "own_new", "own_now", "shared"]
        );
        assert_eq!(own(&rest), [DECIDES, "later", "own_decides", "own_later"]);
    }

    /// Returns the offsets at which a part puts functions into the table, with their names.
    fn in_table(part: &[u8]) -> Vec<(i32, Vec<String>)> {
        let part = Module::from_buffer(part).expect("it is a module");
        let name = |it: &FunctionId| part.funcs.get(*it).name.clone().expect("it has a name");
        let mut places: Vec<(i32, Vec<String>)> = part
            .elements
            .iter()
            .map(|it| match (&it.kind, &it.items) {
                (
                    ElementKind::Active {
                        offset: ConstExpr::Value(ir::Value::I32(at)),
                        ..
                    },
                    ElementItems::Functions(functions),
                ) => (*at, functions.iter().map(name).collect()),
                _ => panic!("it is of another kind"),
            })
            .collect();
        places.sort();
        places
    }

    #[test]
    fn what_commands_decide_comes_with_the_rest_into_its_places_of_the_table() {
        let (first, rest) = parts(&whole(), &["phone_now".to_owned()]).expect("it can be parted");
        let by_table = || vec!["by_table".to_owned()];
        assert_eq!(in_table(&first), [(1, by_table()), (3, by_table())]);
        assert_eq!(in_table(&rest), [(2, vec![DECIDES.to_owned()])]);
    }

    #[test]
    fn the_first_part_exports_what_the_rest_imports() {
        let (first, rest) = parts(&whole(), &["phone_now".to_owned()]).expect("it can be parted");
        let first = Module::from_buffer(&first).expect("it is a module");
        let rest = Module::from_buffer(&rest).expect("it is a module");
        let exported: Vec<&str> = first.exports.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(rest.imports.iter().count(), 3);
        for import in rest.imports.iter() {
            assert_eq!(import.module, FIRST);
            assert!(exported.contains(&import.name.as_str()), "{}", import.name);
        }
        let doors: Vec<&str> = rest.exports.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(doors, ["phone_later"]);
    }

    #[test]
    fn a_listed_door_that_is_not_there_fails_the_build() {
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
