import { type CompletionContext, LIVE_COMMAND } from './contexts.ts';

/**
 * Script for PowerShell 5.1 and newer. The command table is data that the script reads, so that the script has little
 * code: it was never run in a PowerShell.
 */
export function powershellCompletion(contexts: readonly CompletionContext[]): string {
  const data = JSON.stringify(
    Object.fromEntries(contexts.map(({ path, ...context }) => [`/${path}`, context])),
  );
  return `# Completion of footbridge for PowerShell. Load it with: footbridge completion powershell | Out-String | Invoke-Expression
$FootbridgePlaces = ConvertFrom-Json @'
${data.replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}
'@

Register-ArgumentCompleter -Native -CommandName footbridge -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text.Trim("'", '"') })
  $path = ''
  $index = 0
  $place = $FootbridgePlaces.'/'
  while ($index -lt $typed.Count -and $place.words.word -contains $typed[$index]) {
    $path = "$path $($typed[$index])".Trim()
    $place = $FootbridgePlaces."/$path"
    $index += 1
  }
  $position = 0
  $option = $null
  for (; $index -lt $typed.Count; $index += 1) {
    if ($option) { $option = $null; continue }
    if ($typed[$index] -eq '--') { continue }
    if ($typed[$index].StartsWith('-')) {
      $option = $place.options | Where-Object { $_.values -and $_.flags -contains $typed[$index] }
    } else { $position += 1 }
  }
  $found = @()
  if ($option) { $values = $option.values }
  else {
    if ($position -eq 0) { $found += @($place.words) }
    $count = @($place.positionals).Count
    if ($place.repeats -and $position -ge $count) { $position = $count - 1 }
    $values = @($place.positionals)[$position]
    if ($wordToComplete.StartsWith('-')) {
      $found += @($place.options | ForEach-Object { $help = $_.help; $_.flags | ForEach-Object { @{ word = $_; help = $help } } })
    }
  }
  $found += @($values.words | Where-Object { $_ } | ForEach-Object { @{ word = $_; help = $_ } })
  if ($values.live) {
    $found += @(${LIVE_COMMAND} $values.live 2>$null | ForEach-Object { $parts = $_ -split "\`t", 2; @{ word = $parts[0]; help = "$($parts[1]) " } })
  }
  $found | Where-Object { $_ -and $_.word.StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_.word, $_.word, 'ParameterValue', $_.help)
  }
  if ($values.files) { [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete) }
}
`;
}
