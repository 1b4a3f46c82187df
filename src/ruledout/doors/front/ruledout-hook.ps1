# ruledout-hook AGENT: the front of the hook on Windows. Reads its input once and starts Python only where something that is known stands in it.
param([string]$Agent = '')
$ErrorActionPreference = 'SilentlyContinue'
$python = '@PYTHON@'
$doors = '@PACKAGE@/ruledout/doors'
try {
    if (-not (Test-Path -LiteralPath $python)) { exit 0 }
    $reader = New-Object System.IO.StreamReader([Console]::OpenStandardInput(), (New-Object System.Text.UTF8Encoding($false)))
    $reading = $reader.ReadToEndAsync()
    if (-not $reading.Wait(1000)) { exit 0 }
    $call = $reading.Result
    if ($call.Length -eq 0 -or $call.Length -gt 8000000) { exit 0 }
    $words = @('PostToolUseFailure', 'postToolUseFailure', 'completed with exit code 1', 'nExit Code: ', '"exit":1', '"exit_code":1', 'Traceback (most recent call last)', 'FAILED', ' failed')
    $at = (Get-Location).Path
    while ($at -and -not (Test-Path -LiteralPath (Join-Path $at '.git'))) { $at = Split-Path -Parent $at }
    if ($at) {
        $known = Join-Path $at '.git/ruledout/hot.words'
        if (Test-Path -LiteralPath $known) { $words += [System.IO.File]::ReadAllLines($known) }
    }
    $live = Join-Path $env:LOCALAPPDATA 'ruledout/live.words'
    if (Test-Path -LiteralPath $live) { $words += [System.IO.File]::ReadAllLines($live) }
    foreach ($word in $words) {
        if ($word -and $call.Contains($word)) {
            if ($call -match '"(PostToolUse|AfterTool|toolResult|postToolUse)|"command".*(<<|sed -i|git apply|tee )') { $call | & $python -I "$doors/hook_reading.py" $Agent }
            else { $call | & $python -I -S "$doors/hook.py" $Agent }
            break
        }
    }
} catch { }
exit 0
