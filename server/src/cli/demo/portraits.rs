//! Owns what the demo's pets look like: portraits and a film that `cargo xtask pets` draws.

/// Nalle on a walk, as an MP4.
pub(super) const FILM: &[u8] = include_bytes!("../../../demo/nalle.mp4");

/// The portrait of a pet of the demo, as a JPEG.
pub(super) fn portrait(name: &str) -> Option<&'static [u8]> {
    let portrait: &[u8] = match name {
        "Nalle" => include_bytes!("../../../demo/nalle.jpg"),
        "Halla" => include_bytes!("../../../demo/halla.jpg"),
        "Rölli" => include_bytes!("../../../demo/roelli.jpg"),
        "Pipsa" => include_bytes!("../../../demo/pipsa.jpg"),
        "Otso" => include_bytes!("../../../demo/otso.jpg"),
        "Misse" => include_bytes!("../../../demo/misse.jpg"),
        "Turre" => include_bytes!("../../../demo/turre.jpg"),
        "Sulo" => include_bytes!("../../../demo/sulo.jpg"),
        "Luna" => include_bytes!("../../../demo/luna.jpg"),
        "Pomo" => include_bytes!("../../../demo/pomo.jpg"),
        "Kerttu" => include_bytes!("../../../demo/kerttu.jpg"),
        "Musti" => include_bytes!("../../../demo/musti.jpg"),
        "Mirri" => include_bytes!("../../../demo/mirri.jpg"),
        "Taika" => include_bytes!("../../../demo/taika.jpg"),
        "Remu" => include_bytes!("../../../demo/remu.jpg"),
        "Ronja" => include_bytes!("../../../demo/ronja.jpg"),
        _ => return None,
    };
    Some(portrait)
}
