# discordrb-webhooks through a day: calls come as lines of JSON, each is a step with the address of a webhook.
require 'json'
require 'tmpdir'
require 'discordrb/webhooks'

$stdout.sync = true

def notes
  file = File.new(File.join(Dir.mktmpdir, 'notes.txt'), 'w+')
  file.write('06:12 high')
  file.flush
  file.rewind
  file
end

STEPS = {
  'text' => ->(builder) { builder.content = 'High water' },
  'embeds' => lambda do |builder|
    builder.add_embed do |embed|
      embed.title = 'Tide table'
      embed.colour = 0x3366ff
      embed.add_field(name: 'High', value: '06:12')
      embed.add_field(name: 'Low', value: '12:20')
    end
  end,
  'files' => lambda do |builder|
    builder.content = 'Low water'
    builder.file = notes
  end
}.freeze

$stdin.each_line do |line|
  call = JSON.parse(line)
  answer = begin
    url, = call['args']
    client = Discordrb::Webhooks::Client.new(url: url)
    response = client.execute(nil, true) do |builder|
      builder.username = 'Buoy'
      STEPS.fetch(call['step']).call(builder)
    end
    message = JSON.parse(response.body)
    { result: { channel: message['channel_id'], id: message['id'] } }
  rescue RestClient::Exception => e
    { error: "#{e.message}: #{e.response&.body}" }
  rescue StandardError => e
    { error: "#{e.class}: #{e.message}" }
  end
  puts JSON.generate(answer.merge(id: call['id']))
end
