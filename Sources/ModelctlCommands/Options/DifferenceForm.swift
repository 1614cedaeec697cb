import ModelKit

/// The forms of `diff`.
enum DifferenceForm: String, OutputForm {
  case text
  case json
  case markdown
  case html
}

extension FormatOptions<DifferenceForm> {
  /// Gives what changed between two models.
  ///
  /// - Parameters:
  ///   - models: the models.
  ///   - isPlain: true for text that reads well aloud.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ models: ComparedModels, isPlain: Bool) throws {
    try write(isPlain ? nil : .difference) { form in
      switch form {
      case .text: PrintableText.escaped(isPlain ? models.report.plainText : models.report.text)
      case .json: try JSONText.encode(models.report)
      case .markdown:
        BranchReport(base: models.source.name, [models.bundle(path: models.destination.name)]).markdown
      // Asked for objects alone.
      case .html: ""
      }
    }
  }

  /// Gives what changed in the bundles of a project.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ report: BranchReport) throws {
    try write(.difference) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: report.markdown
      // Asked for objects alone.
      case .html: ""
      }
    }
  }

  /// Gives what differs between the objects of two stores.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ report: DataDifferenceReport) throws {
    try write(.difference) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: report.markdown
      case .html: report.html
      }
    }
  }
}
