import Foundation

// A process that tests let save photos: `ObjectSaver STORE COUNT`.
//
// Opens the store, which it makes where there is none, and saves COUNT photos, one after the other. Says the number of
// each as soon as its save has returned.

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else { exit(64) }
try PhotoSaving(path: arguments[1], count: count).run()
