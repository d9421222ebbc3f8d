//! Owns reading heights from a GeoTIFF: one band of meters on a grid of degrees, as Copernicus and most surveys give them
//! away (OGC 19-008, 'GeoTIFF Standard'; what GDAL adds for cells of which nothing is known).

use std::io::{Error, Read, Result, Seek};

use tiff::ColorType;
use tiff::decoder::{ChunkType, Decoder, DecodingResult};
use tiff::tags::Tag;

use super::height_grid::{GridFrame, HeightGrid, VOID};

/// More cells than a degree's square of one arc second has twice over, and memory would grow.
const MOST_CELLS: u64 = 26_000_000;

/// Keys of the directory and what they say.
const MODEL_TYPE: u16 = 1024;
const MODEL_IN_DEGREES: u16 = 2;
const RASTER_TYPE: u16 = 1025;
const RASTER_OF_POINTS: u16 = 2;

/// Nowhere on earth is it lower or higher, in meters.
const HEIGHTS_M: std::ops::Range<f64> = -500.0..9000.0;

/// Reads the position and the size of a file's grid, without its heights.
pub fn frame_of(file: impl Read + Seek) -> Result<GridFrame> {
    frame(&mut Decoder::new(file).map_err(Error::other)?)
}

/// The heights of a file.
pub fn read(file: impl Read + Seek) -> Result<HeightGrid> {
    let mut decoder = Decoder::new(file).map_err(Error::other)?;
    let frame = frame(&mut decoder)?;
    let heights = heights(&mut decoder).map_err(Error::other)?;
    Ok(HeightGrid { frame, heights })
}

fn frame<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<GridFrame> {
    let (columns, rows) = decoder.dimensions().map_err(Error::other)?;
    if u64::from(columns) * u64::from(rows) > MOST_CELLS {
        return Err(Error::other("it is too large: cut it into degrees"));
    }
    if !matches!(decoder.colortype(), Ok(ColorType::Gray(_))) {
        return Err(Error::other("it has not one band of heights"));
    }
    let keys = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag);
    let keys = keys.map_err(|_| Error::other("it does not say where it lies"))?;
    // Four numbers for each key after four of the directory's own: the key, where its value is, how many, the value.
    let key = |wanted: u16| {
        let mut keys = keys.chunks_exact(4).skip(1);
        keys.find_map(|it| match it {
            [key, 0, _, value] if *key == wanted => Some(*value),
            _ => None,
        })
    };
    if key(MODEL_TYPE) != Some(MODEL_IN_DEGREES) {
        return Err(Error::other(
            "it is not in degrees: `gdalwarp -t_srs EPSG:4326` makes one that is",
        ));
    }
    let mut numbers = |tag| decoder.get_tag_f64_vec(tag).unwrap_or_default();
    let (scale, tie) = (
        numbers(Tag::ModelPixelScaleTag),
        numbers(Tag::ModelTiepointTag),
    );
    let ([east, south, ..], [column, row, _, lon, lat, ..]) = (scale.as_slice(), tie.as_slice())
    else {
        return Err(Error::other("it does not say where it lies"));
    };
    if !(*east > 0.0 && *south > 0.0) {
        return Err(Error::other("it does not say how large its cells are"));
    }
    // A cell is meant by its corner, unless the heights are those of points.
    let middle = if key(RASTER_TYPE) == Some(RASTER_OF_POINTS) {
        0.0
    } else {
        0.5
    };
    Ok(GridFrame {
        north: lat + (row - middle) * south,
        west: lon + (middle - column) * east,
        rows_per_degree: 1.0 / south,
        columns_per_degree: 1.0 / east,
        rows: rows.into(),
        columns: columns.into(),
    })
}

/// Rows from the north, in whole meters as SRTM has them.
fn heights<R: Read + Seek>(decoder: &mut Decoder<R>) -> tiff::TiffResult<Vec<i16>> {
    let (columns, rows) = decoder.dimensions()?;
    let nothing = decoder.get_tag_ascii_string(Tag::GdalNodata).ok();
    let nothing: Option<f64> = nothing.and_then(|it| it.trim_matches(['\0', ' ']).parse().ok());
    let meters = |value: f64| {
        let is_known = HEIGHTS_M.contains(&value) && Some(value) != nothing;
        if is_known { value.round() as i16 } else { VOID }
    };
    let mut heights = vec![VOID; columns as usize * rows as usize];
    let (width, height) = decoder.chunk_dimensions();
    let across = columns.div_ceil(width.max(1));
    let n_chunks = match decoder.get_chunk_type() {
        ChunkType::Strip => decoder.strip_count()?,
        ChunkType::Tile => decoder.tile_count()?,
    };
    for chunk in 0..n_chunks {
        let (data_width, _) = decoder.chunk_data_dimensions(chunk);
        let values = numbers(decoder.read_chunk(chunk)?);
        let (left, top) = (chunk % across * width, chunk / across * height);
        let lines = values.chunks_exact(data_width.max(1) as usize);
        for (row, line) in (top as usize..).zip(lines) {
            let from = row * columns as usize + left as usize;
            let to = heights.get_mut(from..from + line.len());
            for (to, value) in to.unwrap_or_default().iter_mut().zip(line) {
                *to = meters(*value);
            }
        }
    }
    Ok(heights)
}

fn numbers(values: DecodingResult) -> Vec<f64> {
    fn of<T: Copy + Into<f64>>(values: Vec<T>) -> Vec<f64> {
        values.into_iter().map(Into::into).collect()
    }
    match values {
        DecodingResult::U8(it) => of(it),
        DecodingResult::U16(it) => of(it),
        DecodingResult::U32(it) => of(it),
        DecodingResult::I8(it) => of(it),
        DecodingResult::I16(it) => of(it),
        DecodingResult::I32(it) => of(it),
        DecodingResult::F32(it) => of(it),
        DecodingResult::F64(it) => it,
        // Nobody gives heights in these.
        _ => Vec::new(),
    }
}
