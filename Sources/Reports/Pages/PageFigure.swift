/// A picture on a page: it fits the width, and a script gives it buttons to enlarge it.
struct PageFigure {
  /// What the buttons and the frame are called by.
  var name: String
  /// The picture.
  var svg: SVGDiagram
  /// What the ids in it begin with; two pictures of a page have different ones.
  var prefix = ""

  /// The meaning of lines in pictures of differences.
  static let legend = """
    <ul class="legend" aria-label="Marks">
    <li class="added">added: thick line</li>
    <li class="removed">removed: dashed line</li>
    <li class="changed">changed: dotted line</li>
    </ul>

    """

  /// The markup.
  ///
  /// - Parameter isDifference: whether parts of it have marks.
  /// - Returns: a figure, without a line break at its end.
  func markup(isDifference: Bool) -> String {
    let label = MarkupText.escaped(name)
    return """
      <figure class="picture">
      \(isDifference ? Self.legend : "")<div class="tools" role="group" aria-label="Size of the picture: \(label)" hidden="hidden">
      <button type="button" data-zoom="out" aria-label="Smaller">−</button>
      <button type="button" data-zoom="in" aria-label="Larger">+</button>
      <button type="button" data-zoom="fit">Fit the width</button>
      <span class="muted">Drag to move; + and − on the keyboard.</span>
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label="Picture, told in words on this page: \(label)">
      \(svg.embedded(prefix: prefix))
      </div>
      <figcaption>A crow’s foot stands for many, a bar for one, a circle for none, an open triangle for the entity that \
      others inherit from. The text says the same.</figcaption>
      </figure>
      """
  }
}
