//! Owns QR codes as pictures.

use qrcodegen::{QrCode, QrCodeEcc};

use crate::error::AppError;

/// A QR code as one path of squares, dark on light in every theme, since cameras want it so.
pub fn svg(text: &str) -> Result<String, AppError> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium)
        .map_err(|it| AppError::Internal(anyhow::anyhow!("a QR code: {it}")))?;
    let (size, quiet) = (code.size(), 4);
    let squares: String = (0..size)
        .flat_map(|y| (0..size).map(move |x| (x, y)))
        .filter(|&(x, y)| code.get_module(x, y))
        .map(|(x, y)| format!("M{},{}h1v1h-1z", x + quiet, y + quiet))
        .collect();
    let side = size + 2 * quiet;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0,0h{side}v{side}h-{side}z\"/><path d=\"{squares}\"/></svg>"
    ))
}
