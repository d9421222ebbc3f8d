//! Owns small extracts of OpenStreetMap for tests, written as its format (PBF) says: one block of points and streets.

/// A street: its name and its points as latitude and longitude in degrees.
pub type Street<'a> = (&'a str, &'a [(f64, f64)]);

/// An extract of these streets, taken from OpenStreetMap at `data_at_s`.
pub fn extract(data_at_s: u64, streets: &[Street<'_>]) -> Vec<u8> {
    let mut header = Vec::new();
    for feature in ["OsmSchema-V0.6", "DenseNodes"] {
        bytes(4, feature.as_bytes(), &mut header);
    }
    number(32, data_at_s, &mut header);
    let mut file = blob("OSMHeader", &header);
    file.extend(blob("OSMData", &block(streets)));
    file
}

fn block(streets: &[Street<'_>]) -> Vec<u8> {
    let mut texts = Vec::new();
    for text in ["", "highway", "residential", "name"] {
        bytes(1, text.as_bytes(), &mut texts);
    }
    let (mut nodes, mut ways) = (Vec::new(), Vec::new());
    let mut node_id = 0;
    for (index, (name, points)) in (4..).zip(streets) {
        bytes(1, name.as_bytes(), &mut texts);
        let mut refs = Vec::new();
        for (step, (lat, lng)) in points.iter().enumerate() {
            node_id += 1;
            let mut node = Vec::new();
            number(1, zigzag(node_id), &mut node);
            number(8, zigzag((lat * 1e7).round() as i64), &mut node);
            number(9, zigzag((lng * 1e7).round() as i64), &mut node);
            bytes(1, &node, &mut nodes);
            // Each as its distance from the one before.
            varint(zigzag(if step == 0 { node_id } else { 1 }), &mut refs);
        }
        let mut way = Vec::new();
        number(1, index, &mut way);
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (key, value) in [(1, 2), (3, index)] {
            varint(key, &mut keys);
            varint(value, &mut values);
        }
        bytes(2, &keys, &mut way);
        bytes(3, &values, &mut way);
        bytes(8, &refs, &mut way);
        bytes(3, &way, &mut ways);
    }
    let mut block = Vec::new();
    bytes(1, &texts, &mut block);
    // The format wants points and ways in groups of their own.
    for group in [nodes, ways] {
        bytes(2, &group, &mut block);
    }
    block
}

fn blob(kind: &str, data: &[u8]) -> Vec<u8> {
    let mut blob = Vec::new();
    bytes(1, data, &mut blob);
    number(2, data.len() as u64, &mut blob);
    let mut header = Vec::new();
    bytes(1, kind.as_bytes(), &mut header);
    number(3, blob.len() as u64, &mut header);
    let mut whole = (header.len() as u32).to_be_bytes().to_vec();
    whole.extend(header);
    whole.extend(blob);
    whole
}

fn bytes(field: u64, value: &[u8], to: &mut Vec<u8>) {
    varint(field << 3 | 2, to);
    varint(value.len() as u64, to);
    to.extend(value);
}

fn number(field: u64, value: u64, to: &mut Vec<u8>) {
    varint(field << 3, to);
    varint(value, to);
}

fn varint(mut value: u64, to: &mut Vec<u8>) {
    while 0x80 <= value {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}
