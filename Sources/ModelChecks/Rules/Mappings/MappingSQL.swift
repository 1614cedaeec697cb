extension Rule {
  static let mappingSQL = Rule(
    id: "mapping-sql",
    severity: .error,
    purpose: "SQL in a mapping file is one expression over the source row.",
    explanation: """
      SQL in a mapping file is put into the statement that makes the destination's rows. SQLite is asked about each \
      piece beforehand, with the tables of the source version. A piece that names an unknown column or is no \
      expression would stop every migration; correct it.
      """
  ) { (history: BundleHistory) in
    history.mappingIssues("mapping-sql")
  }
}
