// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "FamilyTree",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "family", targets: ["FamilyTree"])],
  dependencies: [.package(name: "modelctl", path: "../..")],
  targets: [
    .executableTarget(
      name: "FamilyTree",
      dependencies: [.product(name: "ModelKit", package: "modelctl")],
      // The program opens stores of every version of the model, so it takes the bundle along.
      resources: [.copy("Family.xcdatamodeld")],
      // Writes the struct User when the target is built.
      plugins: [.plugin(name: "ModelctlTypes", package: "modelctl")]),
    .testTarget(
      name: "FamilyTreeTests", dependencies: ["FamilyTree", .product(name: "ModelKit", package: "modelctl")]),
  ])
