import Testing

@testable import VersionHashing

/// The examples of FIPS 180-4, and lengths at which the padding needs a block of its own.
@Suite("SHA-256 and SHA-512")
struct SHA2Tests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func digest256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { SHA2.digest256(of: $0) } }
  private func digest512(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { SHA2.digest512(of: $0) } }

  /// Some bytes, the same in every run.
  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) } }

  @Test(
    "The examples of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func standard256(_ text: String, _ digest: String) {
    #expect(hexadecimal(digest256(Array(text.utf8))) == digest)
  }

  @Test("The example of the standard for 64 bits")
  func standard512() {
    #expect(
      hexadecimal(digest512(Array("abc".utf8))) == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  }

  @Test(
    "Lengths around those of a block; the digests are another program's",
    arguments: [
      (55, "e7313d333c272e63", "14fd424b1fcadee6"),
      (56, "4324d65f3c103567", "480fa85be41ef55a"),
      (63, "81c80242132f230c", "ecd42a703a4e93e1"),
      (64, "39e3d7b6b5d075d3", "8f3cc30b3fb5bf96"),
      (65, "aacca6ff74fdbb29", "22050d1b2c5bd016"),
      (111, "67d9492e628fd376", "68cffa6d0d76f309"),
      (112, "96b928cff8528dbb", "d0865c524d1dddf7"),
      (119, "9ce7368e4daf3234", "236bdd7f38a611b5"),
      (120, "7836b787757e95e5", "4bd16fefaa35cc2d"),
      (127, "a8d23e75d936f303", "e0b6a20f1c0c8897"),
      (128, "d2742f1f4ac6bb7c", "99b16f17aa0b969a"),
      (129, "307f8fc2c1622b92", "a1556e29185778aa"),
      (1000, "1e9bc38cbf860b9e", "00e36fccf193e596"),
    ])
  func lengths(_ count: Int, _ short: String, _ long: String) {
    #expect(hexadecimal(digest256(bytes(count))).hasPrefix(short))
    #expect(hexadecimal(digest512(bytes(count))).hasPrefix(long))
  }
}
