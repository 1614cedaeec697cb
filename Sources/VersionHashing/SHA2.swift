package import Foundation

/// SHA-256 and SHA-512, which are one algorithm over words of 32 and 64 bits.
///
/// It is written here because the C code of a library would be compiled with every program, and by SwiftPM anew at every build of a
/// target whose types the plugin writes. Each width has its own rounds, which are loops over pointers: a debug build takes twenty
/// times as long for generic rounds, and three times as long for closures and ranges.
///
/// Source: FIPS 180-4.
enum SHA2 {
  /// SHA-256 of bytes, 32 of them.
  static func digest256(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var state = initial256
    if let start = bytes.baseAddress { compress(start, bytes.count / 64, into: &state, rounds256) }
    let end = end(of: bytes, block: 64)
    compress(end, end.count / 64, into: &state, rounds256)
    for position in state.indices { state[position] = state[position].bigEndian }
    return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      state.withUnsafeBytes { UnsafeMutableRawBufferPointer(digest).copyMemory(from: $0) }
      count = 32
    }
  }

  /// SHA-512 of bytes, 64 of them.
  static func digest512(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var state = initial512
    if let start = bytes.baseAddress { compress(start, bytes.count / 128, into: &state, rounds512) }
    let end = end(of: bytes, block: 128)
    compress(end, end.count / 128, into: &state, rounds512)
    for position in state.indices { state[position] = state[position].bigEndian }
    return [UInt8](unsafeUninitializedCapacity: 64) { digest, count in
      state.withUnsafeBytes { UnsafeMutableRawBufferPointer(digest).copyMemory(from: $0) }
      count = 64
    }
  }

  /// The end of the message: the rest of the bytes after the last complete block, a bit of 1, and the number of bits.
  private static func end(of bytes: UnsafeRawBufferPointer, block: Int) -> [UInt8] {
    let rest = bytes.count % block
    // The number has the size of two words, of which the lower 64 bits are enough.
    let count = rest + 1 + block / 8 <= block ? block : 2 * block
    var end = [UInt8](repeating: 0, count: count)
    let number = (UInt64(bytes.count) * 8).bigEndian
    end.withUnsafeMutableBytes { end in
      end.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - rest)...]))
      end[rest] = 0x80
      end.storeBytes(of: number, toByteOffset: count - 8, as: UInt64.self)
    }
    return end
  }

  /// Takes the blocks of 64 bytes that stand one after the other into the state.
  private static func compress(
    _ blocks: UnsafeRawPointer, _ count: Int, into state: UnsafeMutablePointer<UInt32>,
    _ constants: UnsafePointer<UInt32>
  ) {
    var schedule = [UInt32](repeating: 0, count: 64)
    schedule.withUnsafeMutableBufferPointer { buffer in
      guard let schedule = buffer.baseAddress else { return }
      for number in 0..<count {
        UnsafeMutableRawPointer(schedule).copyMemory(from: blocks + 64 * number, byteCount: 64)
        compress(schedule, into: state, constants)
      }
    }
  }

  /// Takes a block, the first 16 words of the schedule as they stand in the message, into the state.
  private static func compress(
    _ schedule: UnsafeMutablePointer<UInt32>, into state: UnsafeMutablePointer<UInt32>,
    _ constants: UnsafePointer<UInt32>
  ) {
    var position = 0
    while position < 16 {
      schedule[position] = UInt32(bigEndian: schedule[position])
      position &+= 1
    }
    while position < 64 {
      let (x, y) = (schedule[position &- 15], schedule[position &- 2])
      let first = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ x &>> 3
      let second = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ y &>> 10
      schedule[position] = schedule[position &- 16] &+ first &+ schedule[position &- 7] &+ second
      position &+= 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    position = 0
    while position < 64 {
      let first = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
      let second = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
      let added = h &+ first &+ (e & f ^ ~e & g) &+ constants[position] &+ schedule[position]
      (h, g, f, e) = (g, f, e, d &+ added)
      (d, c, b, a) = (c, b, a, added &+ second &+ (a & b ^ a & c ^ b & c))
      position &+= 1
    }
    (state[0], state[1], state[2], state[3]) = (state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d)
    (state[4], state[5], state[6], state[7]) = (state[4] &+ e, state[5] &+ f, state[6] &+ g, state[7] &+ h)
  }

  /// Takes the blocks of 128 bytes that stand one after the other into the state.
  private static func compress(
    _ blocks: UnsafeRawPointer, _ count: Int, into state: UnsafeMutablePointer<UInt64>,
    _ constants: UnsafePointer<UInt64>
  ) {
    var schedule = [UInt64](repeating: 0, count: 80)
    schedule.withUnsafeMutableBufferPointer { buffer in
      guard let schedule = buffer.baseAddress else { return }
      for number in 0..<count {
        UnsafeMutableRawPointer(schedule).copyMemory(from: blocks + 128 * number, byteCount: 128)
        compress(schedule, into: state, constants)
      }
    }
  }

  /// Takes a block, the first 16 words of the schedule as they stand in the message, into the state.
  private static func compress(
    _ schedule: UnsafeMutablePointer<UInt64>, into state: UnsafeMutablePointer<UInt64>,
    _ constants: UnsafePointer<UInt64>
  ) {
    var position = 0
    while position < 16 {
      schedule[position] = UInt64(bigEndian: schedule[position])
      position &+= 1
    }
    while position < 80 {
      let (x, y) = (schedule[position &- 15], schedule[position &- 2])
      let first = (x &>> 1 | x &<< 63) ^ (x &>> 8 | x &<< 56) ^ x &>> 7
      let second = (y &>> 19 | y &<< 45) ^ (y &>> 61 | y &<< 3) ^ y &>> 6
      schedule[position] = schedule[position &- 16] &+ first &+ schedule[position &- 7] &+ second
      position &+= 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    position = 0
    while position < 80 {
      let first = (e &>> 14 | e &<< 50) ^ (e &>> 18 | e &<< 46) ^ (e &>> 41 | e &<< 23)
      let second = (a &>> 28 | a &<< 36) ^ (a &>> 34 | a &<< 30) ^ (a &>> 39 | a &<< 25)
      let added = h &+ first &+ (e & f ^ ~e & g) &+ constants[position] &+ schedule[position]
      (h, g, f, e) = (g, f, e, d &+ added)
      (d, c, b, a) = (c, b, a, added &+ second &+ (a & b ^ a & c ^ b & c))
      position &+= 1
    }
    (state[0], state[1], state[2], state[3]) = (state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d)
    (state[4], state[5], state[6], state[7]) = (state[4] &+ e, state[5] &+ f, state[6] &+ g, state[7] &+ h)
  }

  private static let initial256 = initial512.map { UInt32($0 &>> 32) }
  private static let rounds256 = rounds512.prefix(64).map { UInt32($0 &>> 32) }

  /// The fractions of the square roots of the first 8 primes.
  private static let initial512: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  /// The fractions of the cube roots of the first 80 primes.
  private static let rounds512: [UInt64] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
  ]
}

package enum DataDigest {
  /// SHA-256 of bytes, 32 of them.
  package static func sha256(of data: Data) -> [UInt8] { data.withUnsafeBytes { SHA2.digest256(of: $0) } }
}
