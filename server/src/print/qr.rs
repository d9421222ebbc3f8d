//! Owns QR codes as pictures.

use qrcodegen::{QrCode, QrCodeEcc};

use crate::base::error::AppError;

/// How many squares around a code stay light, so that cameras find it.
pub const QUIET: i32 = 4;

/// The code of a text.
pub fn code(text: &str) -> Result<QrCode, AppError> {
    QrCode::encode_text(text, QrCodeEcc::Medium)
        .map_err(|it| AppError::Internal(anyhow::anyhow!("a QR code: {it}")))
}

/// The dark squares of a code that lie side by side: their first column, their row and how many they are, counted from the
/// corner of what stays light around the code.
pub fn dark(code: &QrCode) -> Vec<(i32, i32, i32)> {
    let mut runs: Vec<(i32, i32, i32)> = Vec::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            match runs.last_mut() {
                Some((first, row, n)) if *row == y + QUIET && *first + *n == x + QUIET => *n += 1,
                _ => runs.push((x + QUIET, y + QUIET, 1)),
            }
        }
    }
    runs
}

/// A QR code as one path of squares, dark on light in every theme, since cameras want it so.
pub fn svg(text: &str) -> Result<String, AppError> {
    let code = code(text)?;
    let squares = dark(&code).into_iter();
    let squares: String = squares
        .map(|(x, y, n)| format!("M{x},{y}h{n}v1h-{n}z"))
        .collect();
    let side = code.size() + 2 * QUIET;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0,0h{side}v{side}h-{side}z\"/><path d=\"{squares}\"/></svg>"
    ))
}
