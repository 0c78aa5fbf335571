-- Requests of wrk: METHOD KEY MARK BODY FILE; each goes to the next path in FILE and replaces `#` in BODY.
local paths, turn, mark, body = {}, 0, "", nil

function init(args)
  wrk.method = args[1]
  wrk.headers["x-api-key"] = args[2]
  mark = args[3]
  if args[4] ~= "" then
    body = args[4]
    wrk.headers["content-type"] = "application/json"
  end
  for line in io.lines(args[5]) do paths[#paths + 1] = line end
end

function request()
  local path = paths[turn % #paths + 1]
  turn = turn + 1
  return wrk.format(nil, path, nil, body and body:gsub("#", mark .. "-" .. turn))
end

function done(summary)
  local wrong = summary.errors
  print(string.format("told %d %d %d", summary.requests, summary.duration,
    wrong.status + wrong.connect + wrong.read + wrong.write + wrong.timeout))
end
