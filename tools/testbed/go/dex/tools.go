//go:build tools

// Package tools imports the command of the testbed, so that go.sum pins its modules.
package tools

import _ "github.com/dexidp/dex/cmd/dex"
