// Command etcd is the storage server of the testbed: upstream's own entry point, built from its public module.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
