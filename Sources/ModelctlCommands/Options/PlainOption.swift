import ArgumentParser

/// Whether text is given for a voice.
struct PlainOption: ParsableArguments {
  @Flag(name: .long, help: "Text for a screen reader: a fact a line, no signs for words, nothing wrapped.")
  var plain = false
}
