/// The version that `ration --version`, `hello` and `status` tell.
let version = "0.1.0"
