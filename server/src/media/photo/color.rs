//! Owns the conversion of a photo to sRGB, which is how programs show a picture without a profile. Phones take photos in
//! wider color spaces such as Display P3, and the profile that says so is not kept.

use std::panic::catch_unwind;

use image::DynamicImage;
use moxcms::{ColorProfile, Layout, ParsingOptions, TransformOptions};

use super::strip::MAX_PROFILE_BYTES;

/// Converts a picture from the color space of this ICC profile to sRGB. Profiles other than a matrix with three curves, and
/// damaged ones, leave the picture as it is, which is how most programs show it.
pub fn to_srgb(picture: &mut DynamicImage, profile: &[u8]) {
    let DynamicImage::ImageRgb8(picture) = picture else {
        return;
    };
    // The profile is a stranger's: a panic in the library must not cost the photo.
    let transform = catch_unwind(|| {
        let options = ParsingOptions {
            max_profile_size: MAX_PROFILE_BYTES + 1,
            max_allowed_clut_size: 0,
            max_allowed_trc_size: 4_096,
        };
        let from = ColorProfile::new_from_slice_with_options(profile, options).ok()?;
        let is_of_colors = from.is_matrix_shaper();
        let to = ColorProfile::new_srgb();
        let transform =
            from.create_transform_8bit(Layout::Rgb, &to, Layout::Rgb, TransformOptions::default());
        transform.ok().filter(|_| is_of_colors)
    });
    let Ok(Some(transform)) = transform else {
        return;
    };
    let row_bytes = 3 * picture.width() as usize;
    let mut converted = vec![0; row_bytes];
    for row in picture.chunks_exact_mut(row_bytes.max(1)) {
        if transform.transform(row, &mut converted).is_ok() {
            row.copy_from_slice(&converted);
        }
    }
}
