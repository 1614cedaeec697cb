// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "TodoList",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "todo", targets: ["TodoList"])],
  dependencies: [
    .package(name: "modelctl", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "TodoList",
      dependencies: [
        .product(name: "ModelKit", package: "modelctl"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The program opens stores of every version of the model, so it takes the bundle along.
      resources: [.copy("Todo.xcdatamodeld")],
      // Writes the struct Todo when the target is built.
      plugins: [.plugin(name: "ModelctlTypes", package: "modelctl")]),
    .testTarget(
      name: "TodoListTests", dependencies: ["TodoList", .product(name: "ModelKit", package: "modelctl")]),
  ])
