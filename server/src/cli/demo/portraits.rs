//! Owns what the demo's pets look like: portraits and a film that `cargo xtask pets` draws.

/// The first client's dog on a walk, as an MP4.
pub(super) const FILM: &[u8] = include_bytes!("../../../demo/nalle.mp4");

/// The portrait of a pet of the demo, as a JPEG.
pub(super) fn portrait(name: &str) -> Option<&'static [u8]> {
    let portrait: &[u8] = match name {
        "Nalle" | "Biscuit" => include_bytes!("../../../demo/nalle.jpg"),
        "Halla" | "Pearl" => include_bytes!("../../../demo/halla.jpg"),
        "Rölli" | "Scout" => include_bytes!("../../../demo/roelli.jpg"),
        "Pipsa" | "Pepper" => include_bytes!("../../../demo/pipsa.jpg"),
        "Otso" | "Bear" => include_bytes!("../../../demo/otso.jpg"),
        "Misse" | "Willow" => include_bytes!("../../../demo/misse.jpg"),
        "Turre" | "Rusty" => include_bytes!("../../../demo/turre.jpg"),
        "Sulo" | "Copper" => include_bytes!("../../../demo/sulo.jpg"),
        "Luna" => include_bytes!("../../../demo/luna.jpg"),
        "Pomo" | "Gus" => include_bytes!("../../../demo/pomo.jpg"),
        "Kerttu" | "Ginger" => include_bytes!("../../../demo/kerttu.jpg"),
        "Musti" | "Duke" => include_bytes!("../../../demo/musti.jpg"),
        "Mirri" | "Olive" => include_bytes!("../../../demo/mirri.jpg"),
        "Taika" | "Dash" => include_bytes!("../../../demo/taika.jpg"),
        "Remu" | "Rocket" => include_bytes!("../../../demo/remu.jpg"),
        "Ronja" | "Ruby" => include_bytes!("../../../demo/ronja.jpg"),
        _ => return None,
    };
    Some(portrait)
}
