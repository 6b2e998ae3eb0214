package mutants

import (
	"context"
	"time"

	"rokrig/fuzz/campaign"
	"rokrig/fuzz/reduce"
	"rokrig/fuzz/triage"
)

// Reduction is what became of the finding that killed a mutant.
type Reduction struct {
	Lines   int     `json:"reduced_lines"` // canonically printed; 0 of the empty program
	Nodes   int     `json:"reduced_nodes"`
	Seconds float64 `json:"reduce_seconds,omitempty"`
	Tries   int     `json:"reduce_tries,omitempty"`
	Config  string  `json:"reduced_config,omitempty"`
	By      string  `json:"reduced_by,omitempty"` // what was edited: tree or choices
	Minimal bool    `json:"minimal"`
	Slipped string  `json:"slipped,omitempty"`     // how the reduced program shows something else; "" if it does not
	Failed  string  `json:"not_reduced,omitempty"` // why there is no reduced program
	Text    string  `json:"reduced,omitempty"`
}

// reduceTime bounds one reduction.
const reduceTime = 30 * time.Second

// reduceFinding reduces a finding and looks whether it is still the same.
func reduceFinding(ctx context.Context, f *triage.Finding, jobs int) (*Reduction, error) {
	short, cancel := context.WithTimeout(ctx, reduceTime)
	defer cancel()
	res, err := reduce.Find(short, f, campaign.CaseName, jobs, reduce.Options{})
	if err != nil {
		return &Reduction{Failed: err.Error()}, ctx.Err()
	}
	r := &Reduction{Lines: res.LinesAfter, Nodes: res.NodesAfter, Seconds: res.Elapsed.Seconds(), Tries: res.Tries,
		Config: res.Config, By: res.By, Minimal: res.Minimal, Text: res.Text}
	r.Slipped, err = res.Slipped(ctx, f.Mutant)
	return r, err
}
