package database

import "testing"

func TestSources(t *testing.T) {
	tests := []struct {
		name, blob, want string
	}{
		{"none", "", "[]"},
		{"one", "\x05", "[5]"},
		{"up and down by one", "\x05\x02\x01", "[5,6,5]"},
		{"of two bytes", "\xac\x02\xa0\x1f", "[300,2300]"},
		{"the last safe integer, then down to 0", "\xff\xff\xff\xff\xff\xff\xff\x0f\xfd\xff\xff\xff\xff\xff\xff\x1f", "[9007199254740991,0]"},
		{"beyond the last safe integer", "\x80\x80\x80\x80\x80\x80\x80\x10", ""},
		{"up beyond it", "\xff\xff\xff\xff\xff\xff\xff\x0f\x02", ""},
		{"below 0", "\x00\x01", ""},
		{"cut off", "\x05\x80", ""},
		{"longer than need be", "\x85\x00", ""},
		{"of ten bytes", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := appendSources(nil, []byte(tt.blob))
			if (err != nil) != (tt.want == "") {
				t.Fatalf("error %v", err)
			}
			if err == nil && string(got) != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
