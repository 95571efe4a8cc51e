// Command etcd is the storage server of the testbed. It calls the entry point of the public module.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
