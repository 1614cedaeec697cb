// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "modelctl",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "modelctl", targets: ["modelctl"]),
    .library(name: "ModelKit", targets: ["ModelKit"]),
    .plugin(name: "ModelctlPlugin", targets: ["ModelctlPlugin"]),
    .plugin(name: "ModelctlTypes", targets: ["ModelctlTypes"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2",
      pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .systemLibrary(
      name: "CSQLiteConnection",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),

    .target(name: "ModelDescription"),
    .target(name: "VersionHashing", dependencies: ["ModelDescription"]),
    .target(name: "ModelComparison", dependencies: ["ModelDescription"]),
    .target(name: "CloudKitSchemas", dependencies: ["ModelDescription"]),
    .target(name: "MappingModels", dependencies: ["ModelDescription", "VersionHashing", "ModelComparison"]),
    .target(
      name: "ModelFiles",
      dependencies: [
        "ModelDescription", "VersionHashing", "ModelComparison", "MappingModels", "CLibXML2", "CZlib",
      ],
      resources: [.embedInCode("MappingFiles/mapping.xsd")]
    ),
    .target(
      name: "PersistentStores",
      dependencies: [
        "ModelDescription", "VersionHashing", "MappingModels", "ModelFiles", "CSQLiteConnection",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "MigrationSQL",
      dependencies: [
        "ModelDescription", "MappingModels", "PersistentStores", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "StoreRows",
      dependencies: [
        "ModelDescription", "MappingModels", "PersistentStores", "MigrationSQL",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "AtomicStores",
      dependencies: [
        "ModelDescription", "VersionHashing", "MappingModels", "ModelFiles", "PersistentStores", "StoreRows",
        "CLibXML2",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "StoreMigration",
      dependencies: [
        "ModelDescription", "VersionHashing", "ModelComparison", "MappingModels", "ModelFiles", "PersistentStores",
        "MigrationSQL", "CSQLiteConnection",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "ObjectStores",
      dependencies: [
        "ModelDescription", "VersionHashing", "ModelComparison", "MappingModels", "ModelFiles", "PersistentStores",
        "MigrationSQL", "StoreRows", "AtomicStores", "StoreMigration",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "StoreContents",
      dependencies: [
        "ModelDescription", "VersionHashing", "MappingModels", "ModelFiles", "PersistentStores", "MigrationSQL",
        "StoreRows", "AtomicStores", "StoreMigration", "ObjectStores",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "StoreFleets",
      dependencies: [
        "ModelDescription", "VersionHashing", "MappingModels", "PersistentStores", "StoreMigration", "AtomicStores",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "Rehearsals",
      dependencies: [
        "ModelDescription", "MappingModels", "ModelFiles", "PersistentStores", "MigrationSQL", "StoreMigration",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "ModelChecks",
      dependencies: [
        "ModelDescription", "VersionHashing", "ModelComparison", "MappingModels", "ModelFiles",
        "PersistentStores", "MigrationSQL", "StoreMigration", "CloudKitSchemas",
      ]
    ),
    .target(
      name: "Reports",
      dependencies: [
        "ModelDescription", "VersionHashing", "ModelComparison", "MappingModels", "ModelFiles",
        "PersistentStores", "MigrationSQL", "StoreRows", "StoreMigration", "AtomicStores", "ObjectStores",
        "StoreContents", "StoreFleets", "Rehearsals", "ModelChecks", "CloudKitSchemas",
      ],
      resources: [.embedInCode("Pages/page.css"), .embedInCode("Pages/page.js")]
    ),
    .target(
      name: "ModelKit",
      dependencies: [
        "ModelDescription", "VersionHashing", "ModelComparison", "MappingModels", "ModelFiles",
        "PersistentStores", "MigrationSQL", "StoreRows", "StoreMigration", "AtomicStores", "ObjectStores",
        "StoreContents", "StoreFleets", "Rehearsals", "ModelChecks", "CloudKitSchemas",
        "Reports",
      ]
    ),
    .target(
      name: "ModelctlCommands",
      dependencies: [
        "ModelKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(name: "modelctl", dependencies: ["ModelctlCommands"]),
    .plugin(
      name: "ModelctlPlugin",
      capability: .command(
        intent: .custom(
          verb: "modelctl", description: "Check the package's Core Data models, with: swift package modelctl check")
      ),
      dependencies: ["modelctl"]
    ),
    .plugin(name: "ModelctlTypes", capability: .buildTool(), dependencies: ["modelctl"]),

    .target(name: "SampleModelCode", dependencies: ["ModelKit"], path: "Models/Swift"),

    .testTarget(
      name: "ModelDescriptionTests",
      dependencies: [
        "ModelDescription", "SampleModelCode", "ModelChecks", "ModelFiles", "PersistentStores", "VersionHashing",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "VersionHashingTests",
      dependencies: ["VersionHashing", "ModelDescription", "ModelFiles", "TestSupport"]
    ),
    .testTarget(
      name: "ModelFilesTests",
      dependencies: [
        "ModelFiles", "MappingModels", "ModelDescription", "VersionHashing", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "ModelComparisonTests",
      dependencies: ["ModelComparison", "ModelDescription", "ModelFiles", "VersionHashing", "TestSupport"]
    ),
    .testTarget(
      name: "MappingModelsTests",
      dependencies: [
        "MappingModels", "ModelComparison", "ModelDescription", "ModelFiles", "VersionHashing", "TestSupport",
      ]
    ),
    .testTarget(
      name: "CloudKitSchemasTests",
      dependencies: ["CloudKitSchemas", "ModelDescription", "ModelFiles", "TestSupport"]
    ),
    .testTarget(
      name: "PersistentStoresTests",
      dependencies: [
        "PersistentStores", "StoreOccupant", "ModelDescription", "ModelFiles", "VersionHashing", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "ObjectStoresTests",
      dependencies: [
        "ObjectStores", "ObjectSaver", "AtomicStores", "StoreRows", "StoreMigration", "PersistentStores",
        "MappingModels", "ModelDescription", "ModelFiles", "Reports", "ModelKit", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "AtomicStoresTests",
      dependencies: [
        "AtomicStores", "StoreRows", "PersistentStores", "ObjectStores", "MappingModels", "ModelDescription",
        "ModelFiles", "VersionHashing", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "StoreContentsTests",
      dependencies: [
        "StoreContents", "AtomicStores", "ObjectStores", "StoreRows", "StoreMigration", "MigrationSQL",
        "PersistentStores", "MappingModels", "ModelDescription", "ModelFiles", "ModelKit", "VersionHashing",
        "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "StoreRowsTests",
      dependencies: [
        "StoreRows", "PersistentStores", "MappingModels", "ModelDescription", "ModelFiles", "PredicateOracle",
        "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "StoreMigrationTests",
      dependencies: [
        "StoreMigration", "StoreRows", "ObjectStores", "StoreFleets", "Rehearsals", "MigrationSQL", "PersistentStores",
        "MappingModels", "ModelComparison", "ModelDescription", "ModelFiles", "VersionHashing", "PredicateOracle",
        "TestSupport", "CFaultInjection", "CSQLiteConnection",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "ModelChecksTests",
      dependencies: [
        "ModelChecks", "MappingModels", "ModelDescription", "ModelFiles", "PersistentStores", "VersionHashing",
        "TestSupport",
      ]
    ),
    // These run the program and import little of it, so that they are compiled beside it and not after it.
    .testTarget(
      name: "ModelctlCommandsTests",
      dependencies: [
        "ModelDescription", "ModelFiles", "PersistentStores", "VersionHashing", "TestSupport", "CFaultInjection",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      exclude: ["AllRules", "FirstCheck", "Golden", "Rules", "Schemas/External"]
    ),
    .testTarget(
      name: "ModelKitTests",
      dependencies: [
        "ModelKit", "ModelDescription", "ModelFiles", "PersistentStores", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    // The tests that run the program import none of it. With the dependency here they need not wait for it.
    .testTarget(
      name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "modelctl", "TestSupport"],
      exclude: ["Corpora", "Regressions"]
    ),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "ModelDescription", "VersionHashing", "ModelComparison", "MappingModels", "ModelFiles", "PersistentStores",
        "MigrationSQL", "StoreRows", "AtomicStores", "ObjectStores", "StoreContents", "StoreMigration", "Rehearsals",
        "CloudKitSchemas", "ModelChecks", "Reports", "PredicateOracle", "TestSupport",
      ],
      path: "Tests/FuzzTargets"
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        "ModelDescription", "ModelFiles", "PersistentStores", "VersionHashing",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/TestSupport"
    ),
    .target(
      name: "PredicateOracle",
      dependencies: [
        "ModelDescription", "MappingModels", "MigrationSQL", "StoreRows",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/PredicateOracle"
    ),
    .executableTarget(name: "StoreOccupant", dependencies: ["CSQLiteConnection"], path: "Tests/StoreOccupant"),
    .executableTarget(
      name: "ObjectSaver",
      dependencies: [
        "ObjectStores", "StoreRows", "StoreMigration", "PersistentStores", "ModelDescription", "ModelFiles", "ModelKit",
        "TestSupport",
      ],
      path: "Tests/ObjectSaver"
    ),
    .target(name: "CFaultInjection", dependencies: ["CSQLiteConnection"], path: "Tests/CFaultInjection"),
  ]
)

// libFuzzer brings a main function of its own, so its program is there only where scripts/fuzz asks for it.
if Context.environment["MODELCTL_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "modelctl-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer",
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

// Who depends on the package has no need of what scripts/documentation makes its pages with.
if Context.environment["MODELCTL_DOCUMENTATION"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// The tasks of Benchmarks/objects are no product of the package.
if Context.environment["MODELCTL_BENCHMARK"] != nil {
  package.targets.append(
    .executableTarget(
      name: "modelctl-objects", dependencies: ["ModelKit", .product(name: "GRDB", package: "GRDB.swift")],
      path: "Benchmarks/ObjectAccess"))
}

// SwiftPM compiles a plugin's tool apart from the program. MODELCTL_TOOL names an artifact bundle, which the plugins use
// instead: a path in this package, as scripts/test-examples gives it, or the address of a released bundle, whose checksum
// is in MODELCTL_TOOL_CHECKSUM.
if let bundle = Context.environment["MODELCTL_TOOL"] {
  for target in package.targets where target.type == .plugin { target.dependencies = ["modelctl-tool"] }
  package.targets.append(
    bundle.hasPrefix("https://")
      ? .binaryTarget(
        name: "modelctl-tool", url: bundle, checksum: Context.environment["MODELCTL_TOOL_CHECKSUM"] ?? "")
      : .binaryTarget(name: "modelctl-tool", path: bundle))
}

for target in package.targets where target.type == .regular || target.type == .executable || target.type == .test {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
