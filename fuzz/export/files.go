package export

import "text/template"

func parse(name, text string) *template.Template {
	return template.Must(template.New(name).Parse(text))
}

var makefile = parse("Makefile", `# make        builds the program
# make run    runs it
# make check  compares what it shows with what it should
# make gdb    stops it where {{.Stop}} and shows the line of {{.RokFile}}

CC      = gcc
CFLAGS  = {{.CFlags}}
LDFLAGS = {{.LDFlags}}
SOURCES = {{.Sources}}

.PHONY: all run check gdb clean

all: program

program: {{.AsmFile}} $(SOURCES)
	$(CC) -g $(CFLAGS) $(LDFLAGS) -o $@ {{.AsmFile}} $(SOURCES)

run: program
	{{with .Environment}}{{.}} {{end}}./program

check: program
	@{{with .Environment}}{{.}} {{end}}timeout 60 ./program >actual.out 2>actual.err; echo $$? >actual.status; \
	same=yes; \
	for part in out err status; do diff -u expected.$$part actual.$$part || same=no; done; \
	if [ $$same = yes ]; then echo "as expected"; else echo "NOT as expected"; exit 1; fi

gdb: program
	gdb -x case.gdb ./program

clean:
	rm -f program actual.out actual.err actual.status
`)

var gdbScript = parse("case.gdb", `# gdb -x case.gdb ./program, or without talk: gdb -batch -x case.gdb ./program
set pagination off
set confirm off
set print frame-arguments scalars
{{with .Environment}}set environment {{.}}
{{end}}
define rok-line
# The line of the call that returns to the address on top of the stack: use it on a function's very first instruction.
  set $call = *(unsigned long *)$rsp - 1
  info line *$call
  list *$call
end
{{if eq .Stop "it panics"}}
# Every panic of the language goes through rok_raise, which knows the place.
break rok_raise
run
backtrace 30
info source
eval "list {{.RokFile}}:%ld,%ld", line, line
{{else if eq .Stop "the signal comes"}}
run
backtrace 30
x/i $pc
info registers
info line *$pc
list *$pc
{{else if eq .Stop "the runtime ends it"}}
break rok_host_end
run
backtrace 30
frame function rok_main
list
{{else}}
# The functions that print a value.
{{range .Prints}}tbreak *{{.}}
{{end}}run
backtrace
rok-line
{{end}}`)

var readme = parse("README.md", `# A Rok program and its machine code
{{with .Signature}}
{{.}}
{{end}}
The reference interpreter: {{.Expects}}.
The compiled program, {{.Config}}: {{.Shows}}.
{{with .Mutant}}
The deliberate bug `+"`{{.}}`"+` was switched on.
{{end}}
`+"`make`"+` builds it with gcc, `+"`make run`"+` runs it, `+"`make check`"+` compares it with what the interpreter shows, `+"`make gdb`"+` stops it where
{{.Stop}} and shows the line of the Rok source. make, gcc and diff are all that is needed, and gdb for the last.

| file | what |
| --- | --- |
| `+"`{{.RokFile}}`"+` | the program |
| `+"`{{.AsmFile}}`"+` | its machine code as GNU as text; `+"`.loc`"+` lines say which line of the program an instruction is from |
| `+"`runtime/`"+` | C sources and headers of the runtime, which are the {{.Build}} build with the Makefile's flags |
| `+"`expected.out`, `expected.err`, `expected.status`"+` | standard output, standard error and exit status in the interpreter |
| `+"`case.gdb`"+` | the commands of `+"`make gdb`"+` |

Made by rokrig {{.Version}}.
`)
