package doctor

import (
	"context"
	"fmt"
	"time"

	"rokrig/fuzz/subject"
	"rokrig/oracle/outcome"
)

// The program that every configuration runs, and what it has to print.
const (
	trialProgram = `fn square(n: i64) -> i64 { n * n }
let mut sum: i64 = 0;
for i in 1..=4 { sum += square(i); }
print sum, sum as f64 / 4.0, sum > 29 && sum < 31;
`
	trialOutput = "30 7.5 true\n"
)

// trialTimeout bounds a trial, in which gcc may have to build a runtime.
const trialTimeout = 5 * time.Minute

// tryConfigs runs the program on every configuration.
func tryConfigs() []Trial {
	lab, err := subject.NewLab(subject.LabOptions{Verify: true})
	if err != nil {
		panic(err) // only a mutant's name can be wrong, and none was given
	}
	defer lab.Close()
	var trials []Trial
	for _, row := range subject.All() {
		t := Trial{Config: row.Config.String(), Runs: true}
		if err := tryConfig(lab, row.Config); err != nil {
			t.Runs, t.Reason = false, firstLine(err.Error())
		}
		trials = append(trials, t)
	}
	return trials
}

// tryConfig runs the program on one configuration and looks at what it printed.
func tryConfig(lab *subject.Lab, config subject.Config) error {
	ctx, cancel := context.WithTimeout(context.Background(), trialTimeout)
	defer cancel()
	c := subject.Case{Name: "trial.rok", Text: trialProgram}
	lab.Interpret(&c)
	if c.Checked == nil || !config.Native() {
		return judgeTrial(c.Oracle)
	}
	if err := lab.Compare(ctx, []*subject.Case{&c}, []subject.Config{config}); err != nil {
		return err
	}
	if len(c.Runs) != 1 {
		return fmt.Errorf("it made %d runs of one program", len(c.Runs))
	}
	if run := c.Runs[0]; config.ForcePolls() && run.Outcome.Kind == outcome.Value && run.Polls == 0 {
		return fmt.Errorf("no poll took the slow path")
	}
	return judgeTrial(c.Runs[0].Outcome)
}

func judgeTrial(o outcome.Outcome) error {
	if o.Kind != outcome.Value || o.Status != 0 {
		return fmt.Errorf("the trial program ended by %s: %s%s", o.Kind, o.Line, o.Detail)
	}
	if string(o.Stdout) != trialOutput {
		return fmt.Errorf("the trial program printed %q, not %q", o.Stdout, trialOutput)
	}
	return nil
}
