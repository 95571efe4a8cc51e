#!/usr/bin/env -S node --
// Entry of the installed command line. `--` prevents Node from reading `--env-file` from the
// arguments of a command. This file has the syntax of Node 12, so that an older Node can read it
// and says which version is needed.
'use strict';

var NEEDED = [22, 19];
var version = process.versions.node.split('.').map(Number);
var root = require('path').dirname(__dirname);
var first = process.argv[2];

if (first === '--version' || first === '-V') {
  console.log('gatehouse ' + require('../package.json').version);
} else if (version[0] < NEEDED[0] || (version[0] === NEEDED[0] && version[1] < NEEDED[1])) {
  console.error(
    'gatehouse needs Node ' +
      NEEDED.join('.') +
      ' or newer, and this is ' +
      process.version +
      ': install a newer Node.',
  );
  process.exitCode = 1;
} else {
  keepCompiledCode();
  hideExperimentalWarnings();
  import('../dist/bundle/main.js').then(function (program) {
    return program.main(root, process.argv.slice(2));
  });
}

/**
 * Keeps the compiled code of modules, which halves the time of a start. The folder belongs to the
 * user: Node's default, below the temporary folder, can be prepared by other users.
 */
function keepCompiledCode() {
  var path = require('path');
  var cache = process.env.XDG_CACHE_HOME || path.join(require('os').homedir(), '.cache');
  // Programs that the command line starts, such as the supervisor of a workload, inherit it.
  if (!process.env.NODE_COMPILE_CACHE && !process.env.NODE_DISABLE_COMPILE_CACHE) {
    process.env.NODE_COMPILE_CACHE = path.join(cache, 'gatehouse', 'compiled');
  }
  require('module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/** Hides that SQLite is experimental in Node 22: users cannot act on it. */
function hideExperimentalWarnings() {
  var emitWarning = process.emitWarning;
  process.emitWarning = function (warning, type) {
    if (type !== 'ExperimentalWarning') emitWarning.apply(process, arguments);
  };
}
