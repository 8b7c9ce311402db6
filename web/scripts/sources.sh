# Sourced by web/build, from the root of the repository: hashes of what web/dist is made from, and of what it is.

# The files that web/dist is made from, in any order. What git ignores does not count; without git everything does.
source_files() {
    local folders="web/src web/scripts web/bindgen/src crates/cardan crates/cardan-solve crates/cardan-shapes crates/cardan-scene crates/cardan-view crates/cardan-wasm scenes docs/pictures/scenes"
    {
        if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
            git ls-files --cached --others --exclude-standard -- $folders
        else
            find $folders -type f
        fi
        printf '%s\n' web/index.html web/vite.config.ts web/tsconfig.json web/package.json web/package-lock.json web/build web/bindgen/Cargo.toml web/bindgen/Cargo.lock \
            docs/scenes-catalogue.md Cargo.toml
    } | grep -v -E '/(target|tests|benches|examples|node_modules)/|\.py$'
}

sources_hash() {
    source_files | LC_ALL=C sort -u | while read -r file; do [ -f "$file" ] && sha256sum "$file"; done | sha256sum | cut -d' ' -f1
}

# What the page consists of; build.rs of cardan-cli has the same list.
DIST_FILES="index.html app.js app.css engine.wasm.zst gallery.json.gz"

# Hashes of the files of web/dist, in one order.
dist_hashes() { (cd web/dist && sha256sum $DIST_FILES); }

# Compressed sizes; fails past 3 MB. The pictures of the gallery come only when it is opened.
dist_sizes() {
    local total=0 size file
    for file in index.html app.js app.css engine.wasm.zst; do
        size=$(gzip -9 -c "web/dist/$file" | wc -c)
        total=$((total + size))
        printf '%-16s %9d bytes compressed\n' "$file" "$size"
    done
    printf '%-16s %9d, and pictures of the gallery %d\n' together "$total" "$(wc -c < web/dist/gallery.json.gz)"
    if [ "$total" -gt 3000000 ]; then echo "more than 3 MB compressed" >&2; return 1; fi
}
