// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "OrderService",
  platforms: [.macOS(.v14)],
  products: [.executable(name: "order-service", targets: ["OrderService"])],
  dependencies: [
    .package(name: "modelctl", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "OrderService",
      dependencies: [
        .product(name: "ModelKit", package: "modelctl"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      // The service opens stores of every version, so it takes the versions and the mappings between them along.
      resources: [.copy("Orders.xcdatamodeld"), .copy("Migrations")],
      // Writes the structs Order, Customer and so on when the target is built.
      plugins: [.plugin(name: "ModelctlTypes", package: "modelctl")]),
    .testTarget(
      name: "OrderServiceTests", dependencies: ["OrderService", .product(name: "ModelKit", package: "modelctl")]),
  ])
