@_exported public import ModelDescription
