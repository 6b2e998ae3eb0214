package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"rokrig/internal/version"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			build := struct {
				Revision string `json:"revision"`
				Go       string `json:"go"`
				Platform string `json:"platform"`
			}{version.Revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return show(cmd, build, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "rokrig %s, %s, %s\n", build.Revision, build.Go, build.Platform)
				return err
			})
		},
	}
}
