package mutants

import (
	"context"
	"time"

	"rokrig/fuzz/campaign"
	"rokrig/fuzz/reduce"
	"rokrig/fuzz/triage"
)

// Reduction is what became of a finding that killed a mutant.
type Reduction struct {
	Seed    uint64      `json:"seed"` // of the campaign that found it
	Kind    triage.Kind `json:"kind"`
	Lines   int         `json:"lines"` // canonically printed; 0 of the empty program
	Nodes   int         `json:"nodes"`
	Seconds float64     `json:"seconds"`
	Tries   int         `json:"tries"`
	Config  string      `json:"config,omitempty"`
	By      string      `json:"by,omitempty"`          // what was edited: tree or choices
	Minimal bool        `json:"minimal"`               // it was reduced to its end, and every single edit of the result was tried in vain once more
	Smaller string      `json:"smaller,omitempty"`     // what such an edit made of it nevertheless
	Slipped string      `json:"slipped,omitempty"`     // how the reduced program shows something else; "" if it does not
	Failed  string      `json:"not_reduced,omitempty"` // why there is no reduced program
	Text    string      `json:"text,omitempty"`
}

// reduceTime bounds one reduction, and the check whether it is minimal.
const reduceTime = 30 * time.Second

// reduceFindings reduces the first finding and those of further campaigns: as many as opts.Reduce, each of another seed.
func reduceFindings(ctx context.Context, opts Options, o campaign.Options, first *triage.Finding) ([]Reduction, error) {
	o.Dir = ""
	var out []Reduction
	for f := first; len(out) < opts.Reduce; {
		if f != nil {
			r, err := reduceFinding(ctx, f, opts.Jobs)
			if err != nil || ctx.Err() != nil {
				return out, err
			}
			r.Seed, r.Kind = o.Seed, f.Kind
			out = append(out, *r)
		}
		if o.Seed++; o.Seed-opts.Seed >= uint64(opts.Reduce) {
			break
		}
		s, err := campaign.Run(ctx, o)
		if err != nil || ctx.Err() != nil {
			return out, err
		}
		f = nil
		if len(s.Buckets) > 0 {
			f = s.Buckets[0].First
		}
	}
	return out, nil
}

// reduceFinding reduces a finding, and looks whether it is still the same and whether it is minimal.
func reduceFinding(ctx context.Context, f *triage.Finding, jobs int) (*Reduction, error) {
	short, cancel := context.WithTimeout(ctx, reduceTime)
	defer cancel()
	res, err := reduce.Find(short, f, campaign.CaseName, jobs, reduce.Options{})
	if err != nil {
		return &Reduction{Failed: err.Error()}, ctx.Err()
	}
	r := &Reduction{Lines: res.LinesAfter, Nodes: res.NodesAfter, Seconds: res.Elapsed.Seconds(), Tries: res.Tries,
		Config: res.Config, By: res.By, Minimal: res.Minimal, Text: res.Text}
	if r.Slipped, err = res.Slipped(ctx, f.Mutant); err != nil || !r.Minimal {
		return r, err
	}
	r.Smaller, r.Minimal, err = res.CheckMinimal(ctx, f.Mutant, jobs)
	return r, err
}
