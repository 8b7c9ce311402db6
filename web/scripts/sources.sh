# Sourced by web/build: the hash of everything that web/dist is made from, in any order of the file system.
# From the root of the repository. What git ignores does not count.
sources_hash() {
    {
        find web/src web/scripts web/bindgen/src crates/cardan crates/cardan-solve crates/cardan-shapes crates/cardan-scene crates/cardan-view crates/cardan-wasm \
            \( -name target -o -name tests -o -name benches -o -name examples -o -name node_modules \) -prune -o -type f -print
        find scenes docs/pictures/scenes -type f ! -name '*.py'
        printf '%s\n' web/index.html web/vite.config.ts web/tsconfig.json web/package.json web/package-lock.json web/build web/bindgen/Cargo.toml web/bindgen/Cargo.lock \
            docs/scenes-catalogue.md Cargo.toml
    } | LC_ALL=C sort -u | while read -r file; do [ -f "$file" ] && sha256sum "$file"; done | sha256sum | cut -d' ' -f1
}
