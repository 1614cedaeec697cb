import CZlib
public import Foundation
public import ModelDescription

/// The model that Core Data keeps inside a store, in `Z_MODELCACHE`.
public enum ModelCache {
  /// Decodes the content of the table's only row.
  ///
  /// - Parameter deflated: `Z_CONTENT`: a compiled model in raw DEFLATE, without a zlib header.
  /// - Returns: the model the store was last written with.
  public static func decode(_ deflated: Data, path: String = "Z_MODELCACHE") throws(ModelFileError)
    -> ManagedObjectModel
  {
    let archive: Data
    do {
      archive = try RawDeflate.inflate(deflated, limit: FileBytes.limit)
    } catch {
      switch error {
      case .broken: throw .brokenArchive(path: path, reason: "the cached model is not DEFLATE data")
      case .tooLarge: throw .tooLarge(path: path, what: "the size of its cached model", limit: FileBytes.limit)
      }
    }
    return try CompiledModelReader.read(archive, path: path).model
  }
}

/// Inflates raw DEFLATE data, without a zlib header, up to a limit.
enum RawDeflate {
  /// Why data cannot be inflated.
  enum DeflateError: Error {
    case broken
    case tooLarge
  }

  static func inflate(_ data: Data, limit: Int) throws(DeflateError) -> Data {
    var stream = z_stream()
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .broken
    }
    defer { inflateEnd(&stream) }
    var input = Array(data)
    guard !input.isEmpty, input.count <= limit else { throw input.isEmpty ? .broken : .tooLarge }
    var output = Data()
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    var status = Z_OK
    stream.avail_in = UInt32(clamping: input.count)
    var failure: DeflateError?
    input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      while status == Z_OK, failure == nil {
        let produced = chunk.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          status = CZlib.inflate(&stream, Z_NO_FLUSH)
          return target.count - Int(stream.avail_out)
        }
        output.append(contentsOf: chunk[..<produced])
        if output.count > limit { failure = .tooLarge }
        if status == Z_OK, produced == 0, stream.avail_in == 0 { failure = .broken }
      }
    }
    if let failure { throw failure }
    guard status == Z_STREAM_END else { throw .broken }
    return output
  }
}
