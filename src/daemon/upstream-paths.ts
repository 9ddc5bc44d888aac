/** Returns the paths in the setting `upstream`. A comma separates two paths only where an absolute path follows. */
export function upstreamPaths(setting: string): 'auto' | readonly string[] {
  return setting === 'auto' ? setting : [...new Set(setting.split(/,\s*(?=\/|\\\\|[A-Za-z]:[\\/])/))];
}
