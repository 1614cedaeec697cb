import Foundation

// A process that tests let use a store of photos: `ObjectSaver STORE COUNT`, `ObjectSaver STORE migrate`
// or `ObjectSaver STORE open BUNDLE`.
//
// With a number, opens the store, which it makes where there is none, and saves COUNT photos, one after the other. Says the
// number of each as soon as its save has returned.
//
// With `migrate`, opens the store with a newer version of the model, and says what that did and what it reads.

//
// With `open`, opens the store with the current version of a bundle, as a server does, and says what that did.

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[2] == "open" {
  try NamedOpening(path: arguments[1], bundle: arguments[3]).run()
  exit(0)
}
guard arguments.count == 3 else { exit(64) }
if arguments[2] == "migrate" {
  try PhotoMigration(path: arguments[1]).run()
} else {
  guard let count = Int(arguments[2]), count > 0 else { exit(64) }
  try PhotoSaving(path: arguments[1], count: count).run()
}
