import ModelctlCommands

CommandLineTool.main()
