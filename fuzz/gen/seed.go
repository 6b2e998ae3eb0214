package gen

// ProgramSeed is the seed of program number index in a campaign's seed: the one place that says which program that is.
// Both go through the finaliser of splitmix64 (Vigna, 2015), the seed first, so that the programs of neighbouring seeds
// are not each other's neighbours.
func ProgramSeed(seed, index uint64) uint64 {
	return finalise(finalise(seed) + index*golden)
}

// golden is 2^64 divided by the golden ratio, splitmix64's increment.
const golden = 0x9e3779b97f4a7c15

func finalise(z uint64) uint64 {
	z += golden
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
